// @vitest-environment node
import { isErrorCode, type ErrorCode } from '@batti/contracts'
import { isRecord } from '@batti/kit/json'
import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { inNepali } from './server-sentences.ts'

const sources = import.meta.glob<string>('../../../../api/src/**/*.ts', {
  eager: true,
  query: '?raw',
  import: 'default'
})

/** The functions that create an error, and its code; `AppError` itself names it. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  conflict: 'CONFLICT',
  limitReached: 'LIMIT_REACHED',
  forbidden: 'FORBIDDEN',
  unauthenticated: 'UNAUTHENTICATED',
  unavailable: 'UNAVAILABLE',
  unprocessable: 'UNPROCESSABLE',
  invalid: 'VALIDATION'
}
type Sentence = [text: string, code: ErrorCode]

/** The possible texts of an expression; a digit replaces each value that is unknown here. */
function textsOf(node: unknown): string[] {
  if (!isRecord(node)) return []
  if (node['type'] === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node['type'] === 'ConditionalExpression') return [...textsOf(node['consequent']), ...textsOf(node['alternate'])]
  if (node['type'] !== 'TemplateLiteral') return []
  const [quasis, values] = [node['quasis'], node['expressions']]
  if (!Array.isArray(quasis) || !Array.isArray(values)) return []
  return quasis.reduce<string[]>(
    (texts, quasi: { value: { cooked: string } }, index) => {
      const known = index === 0 ? [''] : textsOf(values[index - 1])
      const parts = known.length === 0 ? ['7'] : known
      return texts.flatMap((text) => parts.map((part) => text + part + quasi.value.cooked))
    },
    ['']
  )
}

const codeOf = (node: unknown): ErrorCode | undefined => textsOf(node).find(isErrorCode)

/** A specified sentence is shown alone; what follows a field's name is shown at the field. */
const isSentence = (text: string): boolean => /^[A-Z7⚠]/u.test(text) && text.includes(' ')

/** Every sentence of an error in a piece of code. */
function sentencesIn(node: unknown, found: Sentence[]): void {
  if (Array.isArray(node)) return node.forEach((one) => sentencesIn(one, found))
  if (!isRecord(node)) return
  const add = (code: ErrorCode | undefined, parts: readonly unknown[]) => {
    if (code !== undefined) for (const text of parts.flatMap(textsOf)) if (isSentence(text)) found.push([text, code])
  }
  const { callee, arguments: given, properties } = node
  if (isRecord(callee) && typeof callee['name'] === 'string' && Array.isArray(given))
    add(callee['name'] === 'AppError' ? codeOf(given[0]) : refusals[callee['name']], given)
  if (node['type'] === 'ObjectExpression' && Array.isArray(properties)) {
    const valueOf = (name: string): unknown =>
      properties.filter(isRecord).find(({ key }) => isRecord(key) && key['name'] === name)?.['value']
    add(codeOf(valueOf('code')), [valueOf('message')])
  }
  // Why a firmware file cannot be offered: the sentence is created here and thrown elsewhere.
  if (node['type'] === 'FunctionDeclaration' && isRecord(node['id']) && node['id']['name'] === 'blockedBy')
    returnsOf(node['body']).forEach((value) => add('CONFLICT', [value]))
  Object.values(node).forEach((inner) => sentencesIn(inner, found))
}

function returnsOf(node: unknown): unknown[] {
  if (Array.isArray(node)) return node.flatMap(returnsOf)
  if (!isRecord(node)) return []
  return node['type'] === 'ReturnStatement' ? [node['argument']] : Object.values(node).flatMap(returnsOf)
}

const sentences = new Map<string, ErrorCode>()
for (const [path, source] of Object.entries(sources)) {
  if (/\.test\.ts$|\/testing\//.test(path)) continue
  const found: Sentence[] = []
  sentencesIn(parseAst(source, { lang: 'ts' }), found)
  for (const [text, code] of found) sentences.set(text, code)
}

/** A `text` of a notice, or a `detail` of a pairing; missed schedules have a test of their own. */
function noticesIn(node: unknown, found: string[]): void {
  if (Array.isArray(node)) return node.forEach((one) => noticesIn(one, found))
  if (!isRecord(node)) return
  const { id, key, value, init } = node
  if (isRecord(key) && (key['name'] === 'text' || key['name'] === 'detail'))
    found.push(...textsOf(value).filter(isSentence))
  if (isRecord(id) && id['name'] === 'text') found.push(...textsOf(init).filter(isSentence))
  Object.values(node).forEach((inner) => noticesIn(inner, found))
}

test('notices of the api and details of a pairing have a Nepali form, with their values', () => {
  const notices = Object.entries(sources)
    .filter(([path, source]) => path.includes('/device-claims/') || source.includes("'user-notified', {"))
    .filter(([path]) => !path.endsWith('.test.ts'))
    .flatMap(([, source]) => {
      const found: string[] = []
      noticesIn(parseAst(source, { lang: 'ts' }), found)
      return found
    })
  expect(notices.length).toBeGreaterThan(2)
  expect(notices.filter((text) => !/[\u0900-\u097F]/.test(inNepali(text)))).toEqual([])
  expect(inNepali('Somebody tried to set up your board Gate again. It stays yours.')).toContain('Gate')
})

/** The sentences at the end of a rollout's target: a `detail`, or the argument of `fail`. */
function endingsIn(node: unknown, found: string[]): void {
  if (Array.isArray(node)) return node.forEach((one) => endingsIn(one, found))
  if (!isRecord(node)) return
  const { key, value, callee, arguments: given } = node
  if (isRecord(key) && key['name'] === 'detail') found.push(...textsOf(value).filter(isSentence))
  if (isRecord(callee) && callee['name'] === 'fail' && Array.isArray(given))
    found.push(...given.flatMap(textsOf).filter(isSentence))
  Object.values(node).forEach((inner) => endingsIn(inner, found))
}

test('reasons for a failed update have a Nepali form, with their numbers', () => {
  const endings = Object.entries(sources)
    .filter(([path]) => path.includes('/rollouts/') && !path.endsWith('.test.ts'))
    .flatMap(([, source]) => {
      const found: string[] = []
      endingsIn(parseAst(source, { lang: 'ts' }), found)
      return found
    })
  expect(endings).toContain('It runs 7 again.')
  expect(endings.filter((text) => !/[\u0900-\u097F]/.test(inNepali(text)))).toEqual([])
  expect(inNepali('It runs 1.4.0 again.')).toContain('1.4.0')
  expect(inNepali('It was started again in the middle 4 times.')).toContain('४')
})

test('a missed schedule is reported in Nepali, with the number of others', () => {
  const missed = 'Gate light was not turned ON at 18:00: Living room was offline'
  expect(inNepali(`${missed}.`)).toBe('Gate light 18:00 मा बलेन: Living room अफलाइन थियो।')
  expect(inNepali(`${missed.replace('Gate light', 'Switch 3')}.`)).toMatch(/^स्विच ३ 18:00 मा बलेन/)
  expect(inNepali(`${missed}, and 1 more schedule was missed.`)).toContain('थप १ वटा')
  const down = 'Fan was not turned OFF at 06:30: Hall could not be reached, because the server was down'
  expect(inNepali(`${down}, and 12 more schedules were missed.`)).toBe(
    'Fan 06:30 मा निभेन: सर्भर बन्द भएकाले Hall सम्म पुगिएन। थप १२ वटा समयतालिका छुटे।'
  )
  expect(inNepali('Words of a newer server.')).toBe('Words of a newer server.')
})

test('the api’s sentences are found', () => {
  expect(sentences.size).toBeGreaterThan(90)
  expect([...sentences.keys()]).toEqual(
    expect.arrayContaining([
      'An account has at most 7 rooms. Remove one first.',
      'One board is of this type.',
      '7 is withdrawn.',
      'A field of the form has no name.'
    ])
  )
})

test('every error sentence of the api has a Nepali form, with its values', () => {
  const english = [...sentences].filter(([text, code]) => !/[\u0900-\u097F]/.test(inNepali(text, code)))
  expect(english).toEqual([])
  expect(inNepali('Kitchen has 50 schedules already. Delete one first.', 'LIMIT_REACHED')).toMatch(/^Kitchen मा ५० /)
  expect(inNepali('A device with MAC AA:BB exists already.', 'CONFLICT')).toContain('AA:BB')
})

test.each([
  ['A rollout that is paused cannot become waiting-approval.', 'CONFLICT'],
  ['No board is left for this rollout: 12 up-to-date, 1 needs-step.', 'CONFLICT'],
  ['2 boards are of this type. Save it as a new type to change its deviceCode, numberOfFans.', 'CONFLICT'],
  ['This image is damaged: its version cannot be read.', 'UNPROCESSABLE'],
  ['The board refused: no reason given.', 'UNPROCESSABLE']
] as const)('no English word of ours remains in the Nepali of “%s”', (message, code) => {
  expect(inNepali(message, code)).not.toMatch(/[A-Za-z0-9]/)
})

test('texts written by people and boards stay unchanged', () => {
  expect(inNepali('The board refused: index 7 out of range.', 'UNPROCESSABLE')).toContain('index 7 out of range')
  expect(inNepali('Kitchen, 2 busy is offline. Check its power and Wi-Fi.', 'DEVICE_OFFLINE')).toContain(
    'Kitchen, 2 busy'
  )
})

/** Every text of the app in that language, by id. */
const catalogues = (language: 'en' | 'ne') =>
  Object.assign(
    {},
    ...Object.values(
      language === 'en'
        ? import.meta.glob<object>('../../i18n/en/*.ts', { eager: true, import: 'messages' })
        : import.meta.glob<object>('../../i18n/ne/*.ts', { eager: true, import: 'messages' })
    )
  ) as Readonly<Record<string, string>>

test('a sentence of both the server and the app is the same in Nepali', () => {
  const ours = catalogues('ne')
  const told = Object.entries(catalogues('en')).filter(([, english]) => inNepali(english) !== english)
  expect(told.length).toBeGreaterThan(5)
  expect(told.filter(([id, english]) => inNepali(english) !== ours[id]).map(([id]) => id)).toEqual([])
})
