import type { IntlShape, MessageDescriptor } from 'react-intl'
import type { KeyValueStorage } from '#web/lib/storage.ts'
import { createStore } from '#web/lib/store.ts'
import { preferredLanguage, type Language } from './language.ts'

type Parsed = Exclude<MessageDescriptor['defaultMessage'], string | undefined>

/** Texts by id, as strings or (in a build) already parsed. */
export type Messages = Readonly<Record<string, string> | Record<string, Parsed>>
export interface LanguageState {
  language: Language
  messages: Messages
  /** Set for Nepali. */
  nepaliTexts?: (create: (locale: string) => IntlShape, hasNepali: boolean) => IntlShape
}

interface LoadedTexts extends LanguageState {
  /** The areas whose texts are loaded. */
  areas: ReadonlySet<string>
}

export interface LanguageDeps {
  storage: KeyValueStorage
  browserLanguages: readonly string[]
  root: HTMLElement
  /** The texts bundled with the app. */
  firstTexts: Readonly<Record<Language, Messages>>
  /** Loads one area's texts in one language when first needed. */
  loadArea: (language: Language, area: string) => Promise<Messages>
}

/** Loaded with the Nepali texts, so that English readers do not load it. */
const datesOf = async (language: Language) =>
  language === 'ne' ? { nepaliTexts: (await import('./nepali.ts')).nepaliTexts } : {}

/** The chosen language with the texts of every area loaded so far. A change of language waits until all of them are loaded. */
export function createLanguageStore({ storage, browserLanguages, root, firstTexts, loadArea }: LanguageDeps) {
  const preferred = preferredLanguage(storage, browserLanguages)
  const store = createStore<LoadedTexts>({
    language: preferred,
    messages: firstTexts[preferred],
    areas: new Set()
  })
  /** Areas loaded so far, in any language. */
  const areas = new Set<string>()
  const loads = new Map<string, Promise<Messages>>()
  root.lang = preferred

  function load(language: Language, area: string): Promise<Messages> {
    const key = `${language}/${area}`
    const known = loads.get(key)
    if (known !== undefined) return known
    const loading = loadArea(language, area)
    loads.set(key, loading)
    // A failed load may be retried.
    loading.catch(() => loads.delete(key))
    return loading
  }
  async function textsOf(language: Language): Promise<LoadedTexts> {
    const wanted = new Set(areas)
    const [dates, ...parts] = await Promise.all([datesOf(language), ...[...wanted].map((area) => load(language, area))])
    const all = [firstTexts[language], ...parts]
    const messages = Object.fromEntries(all.flatMap((part) => Object.entries(part)))
    return { language, messages, areas: wanted, ...dates }
  }
  /** Loads again what was added to the areas, or replaces the language, while the texts were loaded. */
  async function show(wanted: () => Language) {
    let texts = await textsOf(wanted())
    while (texts.language !== wanted() || texts.areas.size < areas.size) texts = await textsOf(wanted())
    root.lang = texts.language
    store.set(texts)
  }
  const shown = () => store.get().language
  let chosen = preferred
  const choose = (language: Language) => {
    chosen = language
    return show(() => chosen)
  }
  const has = (wanted: readonly string[]) => wanted.every((area) => store.get().areas.has(area))

  return {
    getState: (): LanguageState => store.get(),
    subscribe: store.subscribe,
    has,
    /** Loads the texts of these areas for a screen that may be shown soon; the page shown now is not rendered for them. */
    ahead: (wanted: readonly string[]) => Promise.all(wanted.map((area) => load(shown(), area))),
    /** Resolves once the texts of these areas are loaded; called before a screen that uses them is shown. */
    need: async (wanted: readonly string[]) => {
      if (has(wanted)) return
      const language = shown()
      await Promise.all(wanted.map((area) => load(language, area)))
      for (const area of wanted) areas.add(area)
      await show(shown)
    },
    choose: async (language: Language) => {
      await choose(language)
      storage.setItem('language', chosen)
    },
    /** Another tab has chosen. */
    adopt: () => choose(preferredLanguage(storage, browserLanguages))
  }
}
export type LanguageStore = ReturnType<typeof createLanguageStore>
