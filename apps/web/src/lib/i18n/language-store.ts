import type { IntlShape, MessageDescriptor } from 'react-intl'
import type { KeyValueStorage } from '#web/lib/storage.ts'
import { createStore } from '#web/lib/store.ts'
import { preferredLanguage, type Language } from './language.ts'

type Parsed = Exclude<MessageDescriptor['defaultMessage'], string | undefined>

/** Texts by id, as written or (in a build) parsed already. */
export type Messages = Readonly<Record<string, string> | Record<string, Parsed>>
export interface LanguageState {
  language: Language
  messages: Messages
  /** For a browser without data for this language. */
  withDates?: (create: (locale: string) => IntlShape) => IntlShape
}

export interface LanguageDeps {
  storage: KeyValueStorage
  browserLanguages: readonly string[]
  root: HTMLElement
  /** One area's texts in one language, loaded when first needed. */
  loadArea: (language: Language, area: string) => Promise<Messages>
}

/** It comes with the texts of its language: whoever reads English does not load it. */
const datesOf = async (language: Language) =>
  language === 'ne' ? { withDates: (await import('./nepali.ts')).withNepaliDates } : {}

/** The chosen language with the texts of every area loaded so far. A switch waits until all of them are there. */
export function createLanguageStore({ storage, browserLanguages, root, loadArea }: LanguageDeps) {
  const store = createStore<LanguageState>({ language: preferredLanguage(storage, browserLanguages), messages: {} })
  const areas = new Set<string>()
  const loads = new Map<string, Promise<Messages>>()
  root.lang = store.get().language

  function load(language: Language, area: string): Promise<Messages> {
    const key = `${language}/${area}`
    const known = loads.get(key)
    if (known !== undefined) return known
    const loading = loadArea(language, area)
    loads.set(key, loading)
    // A load that failed (the network went away) may be tried again.
    loading.catch(() => loads.delete(key))
    return loading
  }
  async function textsOf(language: Language): Promise<LanguageState> {
    const [dates, ...parts] = await Promise.all([datesOf(language), ...[...areas].map((area) => load(language, area))])
    return { language, messages: Object.fromEntries(parts.flatMap((part) => Object.entries(part))), ...dates }
  }

  return {
    getState: store.get,
    subscribe: store.subscribe,
    /** Texts of these areas are there when it resolves: called before a screen that uses them is shown. */
    need: async (wanted: readonly string[]) => {
      if (wanted.every((area) => areas.has(area))) return
      const { language } = store.get()
      await Promise.all(wanted.map((area) => load(language, area)))
      for (const area of wanted) areas.add(area)
      store.set(await textsOf(store.get().language))
    },
    choose: async (language: Language) => {
      const texts = await textsOf(language)
      storage.setItem('language', language)
      root.lang = language
      store.set(texts)
    }
  }
}
export type LanguageStore = ReturnType<typeof createLanguageStore>
