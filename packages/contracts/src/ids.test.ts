import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boardMac, bootId, canonicalMac, deviceMac, objectId, reportSeq } from './ids.ts'

const twelveDigits = fc.stringMatching(/^[0-9a-fA-F]{12}$/)
const pairs = (digits: string): string[] => digits.match(/../g) ?? []

describe('a MAC', () => {
  it('has one canonical form, from any usual spelling', () => {
    fc.assert(
      fc.property(twelveDigits, (digits) => {
        const canonical = pairs(digits.toUpperCase()).join(':')
        const spellings = [
          digits,
          pairs(digits).join(':'),
          pairs(digits).join('-'),
          (digits.match(/..../g) ?? []).join('.'),
          `  ${pairs(digits).join(':').toLowerCase()} `,
          canonical
        ]
        for (const spelling of spellings) expect(canonicalMac(spelling)).toBe(canonical)
        expect(deviceMac.parse(digits)).toBe(canonical)
      })
    )
  })

  it.each([
    '',
    '34:98:7A:0C:51',
    '34:98:7A:0C:51:E2:00',
    '34:98:7A:0C:51:G2',
    '34:98-7A:0C:51:E2',
    '34::98:7A:0C:51:E2',
    '3498.7A0C51E2',
    '34 98 7A 0C 51 E2',
    '34:98:7A:0C:51:E2\n34:98:7A:0C:51:E2',
    'd/34987A0C51E2/up'
  ])('refuses %j', (text) => {
    expect(canonicalMac(text)).toBeNull()
    expect(deviceMac.safeParse(text).success).toBe(false)
  })

  it.each(['00:00:00:00:00:00', 'FF:FF:FF:FF:FF:FF', 'ff-ff-ff-ff-ff-ff'])(
    '%s is not unique to a board: its memory contains no address',
    (text) => {
      expect(deviceMac.safeParse(text).success).toBe(true)
      expect(boardMac.safeParse(text).error?.issues).toHaveLength(1)
    }
  )

  it('that was assigned locally is valid, and has the same form as all', () => {
    expect(boardMac.parse('02-00-5e-10-00-0a')).toBe('02:00:5E:10:00:0A')
    expect(boardMac.parse('112233445566')).toBe('11:22:33:44:55:66')
    expect(boardMac.safeParse('garbage').error?.issues).toHaveLength(1)
  })

  it('is never anything but text', () => {
    fc.assert(
      fc.property(
        fc.anything().filter((value) => typeof value !== 'string'),
        (value) => {
          expect(deviceMac.safeParse(value).success).toBe(false)
        }
      )
    )
  })
})

describe('an id', () => {
  it('is lower case, so that two spellings of one id are one id', () => {
    expect(objectId.parse('65F0C0FFEE65F0C0FFEE65F0')).toBe('65f0c0ffee65f0c0ffee65f0')
  })

  it.each([
    '',
    '65f0',
    '65f0c0ffee65f0c0ffee65f',
    '65f0c0ffee65f0c0ffee65f00',
    '65f0c0ffee65f0c0ffee65g0',
    '65f0c0ffee65f0c0ffee65f0\n'
  ])('refuses %j', (text) => {
    expect(objectId.safeParse(text).success).toBe(false)
  })

  it('refuses an operator in place of an id', () => {
    expect(objectId.safeParse({ $ne: null }).success).toBe(false)
  })
})

describe('a boot id', () => {
  it.each(['a1b2c3d4', 'A'.repeat(32), 'b:1/2+34', 'with space', 'naïveboot', 'बत्ती-००१', '💡'.repeat(32)])(
    'may be %j',
    (text) => {
      expect(bootId.parse(text)).toBe(text)
    }
  )
  it.each(['a1b2c3d', 'A'.repeat(33), '💡'.repeat(7), 'new\nline', 'nul\0nul\0', '\ud83d'.repeat(8)])(
    'may not be %j',
    (text) => {
      expect(bootId.safeParse(text).success).toBe(false)
    }
  )
})

describe('a report number', () => {
  it('counts from 1 in whole numbers', () => {
    expect(reportSeq.safeParse(1).success).toBe(true)
    for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '1', null]) {
      expect(reportSeq.safeParse(wrong).success).toBe(false)
    }
  })
})
