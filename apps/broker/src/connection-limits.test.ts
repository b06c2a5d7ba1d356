import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addressGroup, createConnectionLimits, plainAddress } from './connection-limits.ts'

describe('limits for connections that have not authenticated', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const create = () => createConnectionLimits({ perAddress: 2, total: 3, timeMs: 5000 })

  it('lets the oldest silent one make room, not one that spoke', () => {
    const limits = create()
    const closed: string[] = []
    const first = limits.admit('192.0.2.1', () => closed.push('first'))
    limits.admit('192.0.2.1', () => closed.push('second'))
    first?.spoke()
    expect(limits.admit('192.0.2.1', () => closed.push('third'))).not.toBeNull()
    expect(closed).toEqual(['second'])
  })

  it('turns the new one away when all of them wait for us', () => {
    const limits = create()
    for (const guest of [limits.admit('192.0.2.1', () => {}), limits.admit('192.0.2.1', () => {})]) guest?.spoke()
    expect(limits.admit('192.0.2.1', () => {})).toBeNull()
    expect(limits.admit('192.0.2.2', () => {})).not.toBeNull()
  })

  it('bounds all addresses together too', () => {
    const limits = create()
    const closed: string[] = []
    for (const host of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) limits.admit(host, () => closed.push(host))
    expect(closed).toEqual(['192.0.2.1'])
    expect(limits.count()).toBe(3)
  })

  it('ends one that takes longer than its time, whether it spoke or not, and none that left', () => {
    const limits = create()
    const closed: string[] = []
    limits.admit('192.0.2.1', () => closed.push('slow'))?.spoke()
    limits.admit('192.0.2.2', () => closed.push('authenticated'))?.leave()
    vi.advanceTimersByTime(5000)
    expect(closed).toEqual(['slow'])
    expect(limits.count()).toBe(0)
  })

  it('does not count who left', () => {
    const limits = create()
    for (let index = 0; index < 10; index += 1) {
      const guest = limits.admit('192.0.2.1', () => {})
      guest?.spoke()
      expect(guest).not.toBeNull()
      guest?.leave()
    }
  })
})

describe('addresses', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:bbbb:1:2:3', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64']
  ])('%s counts as %s', (address, group) => expect(addressGroup(address)).toBe(group))

  it('takes the IPv6 clothes off an IPv4 address', () => {
    expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1')
    expect(plainAddress('2001:db8::1')).toBe('2001:db8::1')
  })
})
