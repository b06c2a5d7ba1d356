import { beforeEach, describe, expect, it } from 'vitest'
import { createFailureBackoff, type FailureBackoff } from './failure-backoff.ts'

describe('the delay after failed authentications', () => {
  let now = 0
  let backoff: FailureBackoff
  beforeEach(() => {
    now = 1_000_000
    backoff = createFailureBackoff({ now: () => now })
  })
  const fail = (times: number, address: string, clientId: string) => {
    for (let time = 0; time < times; time += 1) backoff.failed(address, clientId)
  }

  it('grows with each failure of the same name at the same address, up to two seconds', () => {
    const delays = Array.from({ length: 8 }, () => {
      backoff.failed('192.0.2.1', 'dev-a')
      return backoff.delayMs('192.0.2.1', 'dev-a')
    })
    expect(delays).toEqual([0, 0, 250, 500, 1000, 2000, 2000, 2000])
  })

  it('does not apply to the same board at another address, or to another board at the same one', () => {
    fail(10, '192.0.2.1', 'dev-a')
    expect(backoff.delayMs('198.51.100.1', 'dev-a')).toBe(0)
    expect(backoff.delayMs('192.0.2.1', 'dev-b')).toBe(0)
  })

  it('counts a whole IPv6 /64 as one address, since one host owns it', () => {
    for (let host = 1; host <= 30; host += 1) fail(1, `2001:db8:1:2::${host}`, `dev-${host}`)
    expect(backoff.delayMs('2001:db8:1:2::ffff', 'dev-x')).toBeGreaterThan(0)
    expect(backoff.delayMs('2001:db8:1:3::1', 'dev-x')).toBe(0)
  })

  it('applies to an address that tries many names, but not to boards that succeeded there', () => {
    backoff.succeeded('192.0.2.1', 'dev-home')
    const delays = Array.from({ length: 30 }, (_, index) => {
      backoff.failed('192.0.2.1', `dev-${index}`)
      return backoff.delayMs('192.0.2.1', 'dev-next')
    })
    expect([delays[18], delays[19], delays[29]]).toEqual([0, 250, 2000])
    expect(backoff.delayMs('192.0.2.1', 'dev-home')).toBe(0)
  })

  it('ends after a success, and after a minute', () => {
    fail(10, '192.0.2.1', 'dev-a')
    backoff.succeeded('192.0.2.1', 'dev-a')
    expect(backoff.delayMs('192.0.2.1', 'dev-a')).toBe(0)
    fail(10, '192.0.2.1', 'dev-a')
    now += 59_999
    expect(backoff.delayMs('192.0.2.1', 'dev-a')).toBe(2000)
    now += 1
    expect(backoff.delayMs('192.0.2.1', 'dev-a')).toBe(0)
  })

  it('forgets the oldest failure when ten thousand newer ones are known, also where it was renewed meanwhile', () => {
    fail(10, '192.0.2.1', 'dev-a')
    const others = (from: number, until: number) => {
      // The address and the name are one entry each.
      for (let index = from; index < until; index += 1) fail(1, `198.18.${index >> 8}.${index & 255}`, 'dev')
    }
    others(0, 4_990)
    fail(1, '192.0.2.1', 'dev-a')
    others(4_990, 9_988)
    expect(backoff.delayMs('192.0.2.1', 'dev-a')).toBe(2000)
    others(9_988, 10_000)
    expect(backoff.delayMs('192.0.2.1', 'dev-a')).toBe(0)
  })

  it('takes twenty thousand boards for good at most, the latest', () => {
    const others = (from: number, until: number) => {
      for (let index = from; index < until; index += 1) backoff.succeeded('192.0.2.1', `dev-${index}`)
    }
    for (const name of ['dev-old', 'dev-renewed']) backoff.succeeded('192.0.2.1', name)
    others(0, 10_000)
    backoff.succeeded('192.0.2.1', 'dev-renewed')
    others(10_000, 19_999)
    fail(30, '192.0.2.1', 'dev-x')
    expect(backoff.delayMs('192.0.2.1', 'dev-renewed')).toBe(0)
    expect(backoff.delayMs('192.0.2.1', 'dev-old')).toBe(2000)
  })
})
