import { describe, expect, it } from 'vitest'
import { isWithin, judgeSendingTime } from './sending-times.ts'

const dayMs = 24 * 60 * 60_000
/** Kathmandu is 5:45 ahead of UTC. */
const inKathmandu = (clock: string): number => Date.parse(`2026-03-02T${clock}:00+05:45`)
const any = { allowedHours: null, updateWhen: 'any', waitsSince: 0 } as const
const board = { zone: 'Asia/Kathmandu', hasOutletOn: false }
const isNow = (...asked: Parameters<typeof judgeSendingTime>): boolean => judgeSendingTime(...asked).kind === 'now'

describe('hours of a day', () => {
  it.each([
    ['09:00', '17:00', '08:59', false],
    ['09:00', '17:00', '09:00', true],
    ['09:00', '17:00', '16:59', true],
    ['09:00', '17:00', '17:00', false],
    ['22:00', '06:00', '21:59', false],
    ['22:00', '06:00', '22:00', true],
    ['22:00', '06:00', '00:00', true],
    ['22:00', '06:00', '05:59', true],
    ['22:00', '06:00', '06:00', false]
  ])('from %s to %s include %s: %s', (from, to, clock, isIn) => expect(isWithin({ from, to }, clock)).toBe(isIn))
})

describe('a board is sent to', () => {
  it('at once, where nothing says otherwise', () => {
    expect(judgeSendingTime(any, { ...board, hasOutletOn: true }, inKathmandu('12:00'))).toEqual({ kind: 'now' })
  })

  it('in the allowed hours of its own zone, whatever else it waits for', () => {
    const rules = { ...any, allowedHours: { from: '09:00', to: '17:00' } }
    expect(isNow(rules, board, inKathmandu('09:00'))).toBe(true)
    // 09:00 in Kathmandu is 22:15 of the day before in New York.
    expect(isNow(rules, { ...board, zone: 'America/New_York' }, inKathmandu('09:00'))).toBe(false)
    expect(isNow({ ...rules, updateWhen: 'night' }, board, inKathmandu('09:00'))).toBe(false)
    expect(judgeSendingTime(rules, board, inKathmandu('08:59') + 30_000)).toEqual({
      kind: 'later',
      why: 'hours',
      lookAgainAt: inKathmandu('09:00')
    })
  })

  it('by the clocks of Kathmandu, where it has no zone', () => {
    const rules = { ...any, allowedHours: { from: '09:00', to: '09:01' } }
    expect(isNow(rules, { ...board, zone: '' }, inKathmandu('09:00'))).toBe(true)
  })

  it.each([
    ['00:59', '01:00'],
    ['01:00', null],
    ['04:59', null],
    // A clock change may bring the night closer: it is checked each quarter of an hour.
    ['05:00', '05:15']
  ])('at night where that is asked: at %s, checked again at %s', (clock, again) => {
    const verdict = judgeSendingTime({ ...any, updateWhen: 'night' }, board, inKathmandu(clock))
    expect(verdict).toEqual(
      again === null ? { kind: 'now' } : { kind: 'later', why: 'when', lookAgainAt: inKathmandu(again) }
    )
  })

  it('while nothing is on where that is asked, and after a week of lights in the night', () => {
    const idle = { ...any, updateWhen: 'idle' } as const
    const lit = { ...board, hasOutletOn: true }
    const [noon, night] = [inKathmandu('12:00'), inKathmandu('02:00')]
    expect(judgeSendingTime({ ...idle, waitsSince: noon }, board, noon)).toEqual({ kind: 'now' })
    const waits = (now: number, forMs: number) => judgeSendingTime({ ...idle, waitsSince: now - forMs }, lit, now)
    expect(waits(night, 7 * dayMs)).toEqual({ kind: 'later', why: 'when', lookAgainAt: night + 60_000 })
    expect(waits(night, 7 * dayMs + 1)).toEqual({ kind: 'now' })
    expect(waits(noon, 8 * dayMs)).toEqual({ kind: 'later', why: 'when', lookAgainAt: noon + 60_000 })
  })
})
