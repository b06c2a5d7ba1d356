import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  commaList,
  emailAddress,
  flagText,
  hostText,
  instantText,
  isWifiName,
  lineAsTyped,
  lineText,
  newPassword,
  oneTimeCode,
  pageQuery,
  phoneText,
  portNumber,
  requiredLine,
  searchTerm,
  searchText,
  sortedQuery,
  wholeNumber
} from './fields.ts'

const messages = (result: { error?: { issues: { message: string }[] } }): string[] =>
  (result.error?.issues ?? []).map((issue) => issue.message)

describe('a whole number', () => {
  it('may arrive as the text of a form, a query or a path', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 63 }), (value) => {
        expect(wholeNumber(0, 63).parse(value)).toBe(value)
        expect(wholeNumber(0, 63).parse(` ${value} `)).toBe(value)
        expect(wholeNumber(0, 63).parse(value.toLocaleString('ne', { numberingSystem: 'deva' }))).toBe(value)
      })
    )
  })

  it.each([null, '', ' ', true, false, [], [3], {}, '3.5', 3.5, '0x3', '1e1', 'three', Number.NaN, 64, -1, '64'])(
    'is never silently derived from %j',
    (value) => {
      expect(wholeNumber(0, 63).safeParse(value).success).toBe(false)
    }
  )

  it('is reported as missing, not as invalid', () => {
    expect(messages(portNumber.safeParse(undefined))).toEqual(['is required'])
    expect(messages(portNumber.safeParse('x'))).toEqual(['must be a whole number'])
  })
})

describe('a required line', () => {
  it.each([[undefined], [null], [''], ['   ']])('given as %j is refused in plain words', (value) => {
    expect(messages(requiredLine(100, 'Room name is required').safeParse(value))).toEqual(['Room name is required'])
  })
  it('of another type is reported as such', () => {
    expect(messages(requiredLine(100, 'Room name is required').safeParse(7))).not.toEqual(['Room name is required'])
  })
})

describe('a line that was pasted', () => {
  it('loses invisible characters around it', () => {
    expect(requiredLine(100).parse('\u2068Sita Sharma\u2069')).toBe('Sita Sharma')
    expect(emailAddress.parse('\u200bsita@\u2060example.com\u200e')).toBe('sita@example.com')
    for (const blank of ['\u200b \u2060', '\u3164', '\u2800\u00ad', '\u034f'])
      expect(messages(requiredLine(100).safeParse(blank))).toEqual(['is required'])
  })
  it('keeps the joiners of Nepali words and of emoji', () => {
    expect(requiredLine(100).parse('क्\u200dष 👨\u200d👩\u200d👧')).toBe('क्\u200dष 👨\u200d👩\u200d👧')
  })
  it.each(['Sita \u202elamrahS', 'Ram \u2067x', 'half \ud83d', '\udc00 half'])('%j is refused', (text) => {
    expect(messages(lineText(100).safeParse(text))).toEqual(['must not contain line breaks or control characters'])
  })
})

describe('the page of a list', () => {
  it('is the whole list by default', () => {
    expect(pageQuery.parse({})).toEqual({})
  })
  it.each([
    ['0', 1],
    ['-5', 1],
    ['1', 1],
    ['500', 500],
    ['501', 500],
    ['999999', 500],
    ['99999999999999999999', 500],
    ['-99999999999999999999', 1]
  ])('with limit %s has at most %i rows', (limit, rows) => {
    expect(pageQuery.parse({ limit }).limit).toBe(rows)
  })
  it.each([
    { page: '0' },
    { page: '-1' },
    { page: '99999999999999999999' },
    { page: 'two' },
    { page: '' },
    { limit: 'all' },
    { limit: '' },
    { limit: ['1', '2'] },
    { search: { $ne: '' } }
  ])('is refused with %j, naming the field', (query) => {
    expect(pageQuery.safeParse(query).error?.issues[0]?.path).toEqual(Object.keys(query))
  })
  it('ignores unknown keys', () => {
    expect(pageQuery.parse({ page: '2', _: '1' })).toEqual({ page: 2 })
  })
})

describe('a line of text', () => {
  it('is trimmed, and never contains a line break', () => {
    expect(lineText(20).parse('  Kitchen lamp ')).toBe('Kitchen lamp')
    for (const text of ['a\r\nBcc: b@example.com', 'a\u0000b', 'a\u2028b', 'a\u001bb', 'a\u0085b', '\u009b31mb']) {
      expect(lineText(100).safeParse(text).success).toBe(false)
    }
  })
  it('may be in any language', () => {
    expect(lineText(20).parse('भान्साको बत्ती 💡')).toBe('भान्साको बत्ती 💡')
  })
  it('is found in any Unicode form: with precomposed or with combining accents', () => {
    const [whole, apart] = ['Zoë', 'Zoe\u0308']
    expect(lineText(3).parse(apart)).toBe(whole)
    expect(pageQuery.parse({ search: apart }).search).toBe(whole)
    expect(lineAsTyped(4).parse(apart), 'a Wi-Fi name is its bytes').toBe(apart)
  })
  it('if empty is refused with the specified sentence', () => {
    expect(messages(requiredLine(10, 'Room name is required').safeParse('   '))).toEqual(['Room name is required'])
  })
})

describe('typed input', () => {
  it('may be a code with spaces or dashes', () => {
    expect(oneTimeCode.parse(' 123-456 ')).toBe('123456')
    expect(oneTimeCode.safeParse(' - ').success).toBe(false)
    expect(oneTimeCode.safeParse(123456).success).toBe(false)
  })
  it('may be a phone number with spaces, dashes or brackets', () => {
    expect(phoneText(/^\d{10}$/, 'no').parse('(981) 234-56 78')).toBe('9812345678')
    expect(phoneText(/^\d{10}$/, 'no').safeParse('981234567').success).toBe(false)
  })
  it('may be an e-mail address of the simple form', () => {
    expect(emailAddress.parse(' sita@example.com ')).toBe('sita@example.com')
    expect(messages(emailAddress.safeParse(`a@${'b.'.repeat(200)}@`))).toEqual(['must be at most 254 characters'])
    for (const text of [
      'sita',
      'sita@example',
      '@example.com',
      'a b@example.com',
      'a@b@example.com',
      'a@example.com, b@example.com',
      'a@x.com\nBcc: c@d.com',
      'a\u0000@x.com',
      'a@x.c\u007fom'
    ]) {
      expect(emailAddress.safeParse(text).success).toBe(false)
    }
  })
  it('may be a password of 8 to 256 characters, kept unchanged', () => {
    expect(newPassword.parse('  spaced out  ')).toBe('  spaced out  ')
    expect(newPassword.safeParse('1234567').success).toBe(false)
    expect(newPassword.safeParse('x'.repeat(257)).success).toBe(false)
  })
})

describe('a server address in the settings of boards', () => {
  it.each(['', 'batti.local', 'BATTI', '192.168.1.20', 'fe80::1', 'a.'.repeat(126) + 'a'])('may be "%s"', (host) => {
    expect(hostText.parse(` ${host} `)).toBe(host)
  })
  it.each(['http://batti.local', 'batti.local:8883', 'batti.local/x', 'two words', 'भान्सा', '-a', 'a..b', '::g'])(
    'may not be "%s"',
    (host) => {
      expect(messages(hostText.safeParse(host))).toEqual([
        'must be a host name or address alone, such as batti.local or 192.168.1.20'
      ])
    }
  )
})

it('a Wi-Fi name has 32 bytes at most, in any script', () => {
  expect(['x'.repeat(32), 'क'.repeat(10) + 'xx', ''].map(isWifiName)).toEqual([true, true, true])
  expect(['x'.repeat(33), 'क'.repeat(11), 'é'.repeat(16) + 'x'].map(isWifiName)).toEqual([false, false, false])
})

describe('in a query', () => {
  const phases = commaList(['sent', 'done'])
  it('a list is one value, or several separated by commas', () => {
    expect(phases.parse('done')).toEqual(['done'])
    expect(phases.parse('sent,done')).toEqual(['sent', 'done'])
    for (const text of ['', 'sent,', 'sent;done', 'sent, done', 'other'])
      expect(messages(phases.safeParse(text))[0]).toBe('must be one or more of sent, done, with commas between them')
  })
  it('a boolean is a word', () => {
    expect([flagText.parse('true'), flagText.parse('false')]).toEqual([true, false])
    for (const text of ['', '1', 'TRUE', 'yes', true]) expect(flagText.safeParse(text).success).toBe(false)
  })
  it('an instant contains its time zone', () => {
    for (const text of ['2026-11-22T06:00:00Z', '2026-11-22T11:45:00+05:45'])
      expect(instantText.safeParse(text).success).toBe(true)
    for (const text of ['2026-11-22', '2026-11-22T06:00:00', '2026-13-22T06:00:00Z', 'now'])
      expect(messages(instantText.safeParse(text))).toEqual(['must be an instant such as 2026-11-22T06:00:00Z'])
  })
  it('a search term has no NUL, and a maximum length', () => {
    expect(searchText(5).parse(' a\nb ')).toBe(' a\nb ')
    expect(messages(searchText(5).safeParse('a\u0000'))).toEqual(['must not contain control characters'])
    expect(messages(searchText(5).safeParse('abcdef'))).toEqual(['must be at most 5 characters'])
    expect(searchTerm.parse('\u202a+977 98\u202c ')).toBe('+977 98')
  })
  it('a list is sorted by an existing column, either way', () => {
    const query = sortedQuery(['name', 'rooms'])
    for (const sort of ['name', '-name', 'rooms', '-rooms', undefined])
      expect(query.parse({ sort, page: '2' })).toEqual({ sort, page: 2 })
    for (const sort of ['', '-', '--name', '+name', 'Name', 'name,rooms'])
      expect(messages(query.safeParse({ sort }))).toEqual([
        'must be one of name, rooms, with a leading minus for the other direction'
      ])
  })
})
