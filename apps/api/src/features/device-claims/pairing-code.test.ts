import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatPairingCode, hashPairingCode, readClaimedUserId } from './pairing-code.ts'

describe('a pairing code', () => {
  it('contains all 80 bits', () => {
    expect(formatPairingCode(Buffer.alloc(10))).toBe('0000-0000-0000-0000')
    expect(formatPairingCode(Buffer.alloc(10, 0xff))).toBe('ZZZZ-ZZZZ-ZZZZ-ZZZZ')
    const codes = new Set(Array.from({ length: 500 }, () => formatPairingCode(randomBytes(10))))
    expect(codes.size).toBe(500)
  })
  it('is the same however it is typed', () => {
    expect(hashPairingCode('k7qf 2m8x-t4nd9wrb')).toBe(hashPairingCode('K7QF-2M8X-T4ND-9WRB'))
    expect(hashPairingCode('OIL0-0000-0000-0000')).toBe(hashPairingCode('0110-0000-0000-0000'))
    expect(hashPairingCode('K7QF-2M8X-T4ND-9WRC')).not.toBe(hashPairingCode('K7QF-2M8X-T4ND-9WRB'))
  })
})

describe('the userId field of a setup form', () => {
  const userId = '65b000000000000000000001'
  it.each([
    [`${userId}.K7QF-2M8X-T4ND-9WRB`, { userId, code: 'K7QF-2M8X-T4ND-9WRB' }],
    [userId.toUpperCase(), { userId, code: null }],
    [` ${userId}.K7QF-2M8X-T4ND-9WRB\n`, { userId, code: 'K7QF-2M8X-T4ND-9WRB' }],
    ['', null],
    ['someone', null],
    [`${userId}.`, null],
    [`${userId}.${'A'.repeat(65)}`, null]
  ])('%j is read as %j', (text, expected) => {
    expect(readClaimedUserId(text)).toEqual(expected)
  })
})
