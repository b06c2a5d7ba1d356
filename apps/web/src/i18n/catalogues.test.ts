import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { expect, test } from 'vitest'

const catalogues = import.meta.glob<{ messages: Record<string, string> }>('./{en,ne}/*.ts', { eager: true })
const areas = Object.keys(catalogues).flatMap((path) => (path.startsWith('./en/') ? [path.slice(5, -3)] : []))
const texts = (language: 'en' | 'ne', area: string) => catalogues[`./${language}/${area}.ts`]?.messages ?? {}

/** The names of the values in a text, including those inside plurals. */
function valuesOf(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    const inner = 'options' in element ? Object.values(element.options).flatMap((option) => valuesOf(option.value)) : []
    return [element.value, ...inner]
  })
}
const distinct = (names: string[]) => [...new Set(names)].toSorted()

test('there are as many Nepali catalogues as English ones', () => {
  expect(areas.length).toBeGreaterThan(3)
  expect(Object.keys(catalogues)).toHaveLength(areas.length * 2)
})

test.each(areas)('%s has the same texts in both languages', (area) => {
  expect(Object.keys(texts('ne', area)).toSorted()).toEqual(Object.keys(texts('en', area)).toSorted())
})

test.each(areas)('%s: every text parses, is not empty, and takes the same values in both languages', (area) => {
  for (const [id, english] of Object.entries(texts('en', area))) {
    const nepali = texts('ne', area)[id] ?? ''
    expect(nepali.trim(), id).not.toBe('')
    expect(distinct(valuesOf(parse(nepali))), id).toEqual(distinct(valuesOf(parse(english))))
  }
})

test('no id is in two areas', () => {
  const ids = areas.flatMap((area) => Object.keys(texts('en', area)))
  expect(new Set(ids).size).toBe(ids.length)
})

test('every text is used somewhere', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!./{en,ne}/**', '!../**/*.test.*'], {
    eager: true,
    query: '?raw',
    import: 'default'
  })
  const code = Object.values(sources).join('\n')
  const templates = [...code.matchAll(/`([\w-]+\.[^`\s]*\$\{[^`]*)`/g)].map(([, template = '']) =>
    template
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replaceAll('.', '\\.'))
      .join('[^.]+')
  )
  const isBuilt = new RegExp(`^(?:${templates.join('|')})$`)
  const isThere = (word: string) => code.includes(`'${word}'`) || code.includes(`"${word}"`)
  // `useEventDetail` builds ids from groups, such as "board.setting".
  const isOfGroup = (group: string) => group.includes('.') && isThere(group)
  const isShown = (id: string) => isThere(id) || isBuilt.test(id) || isOfGroup(id.slice(0, id.lastIndexOf('.')))
  expect(areas.flatMap((area) => Object.keys(texts('en', area)).filter((id) => !isShown(id)))).toEqual([])
})

test("a percentage is formatted like the browser's, in both languages", () => {
  for (const language of ['en', 'ne'] as const) {
    expect(new Intl.NumberFormat(language, { style: 'percent' }).format(0.05)).not.toMatch(/\s/)
    for (const area of areas)
      for (const [id, text] of Object.entries(texts(language, area)))
        // The row of the log is the server's own sentence.
        if (id !== 'logs.level.dimmer') expect(text, id).not.toMatch(/[\d०-९}]\s%/)
  }
})

/**
 * The second of each pair is used nowhere, so that a thing has one name on every page and in every sentence of the server.
 */
const oneWord: readonly (readonly [said: string, never: RegExp])[] = [
  ['सुरक्षित', /सेभ/],
  ['प्रशासक', /एडमिन/],
  ['अद्यावधिक', /अपडेट/],
  ['पठाउने काम', /रोलआउट/],
  ['लिङ्क', /लिंक/],
  ['अङ्क', /(?<![\u0900-\u097F])अंक/],
  ['पङ्खा', /पंखा/],
  ['कपी', /प्रतिलिपि/],
  // The words of a catalogue, and of a sentence that has Nepali before or after it.
  ['वाइफाइ', /^Wi-?Fi|[\u0900-\u097F] Wi-?Fi|Wi-?Fi [\u0900-\u097F]/],
  ['बन्द', /निभेक[ोा]/],
  ['अभिलेख', /(?<![\u0900-\u097F])लग(?:हरू)?(?:मा|ले|का|को)?(?![\u0900-\u097F])/],
  ['समयतालिका', /(?<![\u0900-\u097F])तालिका(?!मा हेर्नुहोस्)/]
]

test('Nepali uses one word for one thing', () => {
  const sentences = import.meta.glob<string>(['../lib/i18n/server-*.ts', '!../**/*.test.*'], {
    eager: true,
    query: '?raw',
    import: 'default'
  })
  const said = [...areas.flatMap((area) => Object.values(texts('ne', area))), ...Object.values(sentences)]
  for (const [word, never] of oneWord)
    expect(
      said.flatMap((text) => text.split('\n')).filter((line) => never.test(line)),
      word
    ).toEqual([])
})
