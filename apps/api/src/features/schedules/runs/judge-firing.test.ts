import { describe, expect, it } from 'vitest'
import { aLiveDevice, fourOutlets } from '../../../testing/live-device.ts'
import { firedAs, judgeFiring, supersededAmong, type Verdict } from './judge-firing.ts'

const dueMs = 10_000_000
const limitMs = 5 * 60_000
const settleMs = 30_000
const send: Verdict = { kind: 'send' }
const wait: Verdict = { kind: 'wait' }
const missed = (reason: 'server-down' | 'offline'): Verdict => ({ kind: 'missed', reason })

interface Case {
  /** Milliseconds since it was due, since the link came up (null: it is down), and between that and the board's last word. */
  late?: number
  up?: number | null
  heardAfterUp?: number
  isOnline?: boolean
  isSecondTry?: boolean
  switchIndex?: number
  action?: 'on' | 'off'
  outletOn?: boolean
}
/** By default: on time, with a link that has been up for an hour, and a board that is online and was heard meanwhile. */
function judge(asked: Case = {}): Verdict {
  const { late = 0, up = 3_600_000, heardAfterUp = 0, isOnline = true, isSecondTry = false } = asked
  const monotonic = 50_000_000
  const upSince = up === null ? null : monotonic - up
  const device = aLiveDevice({
    userId: '65b000000000000000000001',
    isOnline,
    heardAt: (upSince ?? 0) + heardAfterUp,
    outlets: fourOutlets().map((outlet, index) => (index === 0 ? { ...outlet, on: asked.outletOn ?? false } : outlet))
  })
  const firing = { switchIndex: asked.switchIndex ?? 0, dueAt: new Date(dueMs), action: asked.action ?? 'on' }
  return judgeFiring(firing, device, { now: dueMs + late, monotonic, link: { upSince }, isSecondTry })
}

describe('an occurrence that is due', () => {
  it('is skipped without a board, an owner or an outlet', () => {
    const context = { now: dueMs, monotonic: 1, link: { upSince: 0 }, isSecondTry: false }
    const firing = { switchIndex: 0, dueAt: new Date(dueMs), action: 'on' } as const
    expect(judgeFiring(firing, null, context)).toEqual({ kind: 'skipped' })
    expect(judgeFiring(firing, aLiveDevice({ userId: null }), context)).toEqual({ kind: 'skipped' })
    expect(judge({ switchIndex: 4 })).toEqual({ kind: 'skipped' })
    expect(judge({ switchIndex: 3 })).toEqual(send)
  })

  it.each<[string, Case, Verdict]>([
    ['is sent to a board that is online', {}, send],
    ['is sent when it is five minutes late', { late: limitMs }, send],
    ['is missed when it is later than that', { late: limitMs + 1 }, missed('server-down')],
    ['is missed by a board that is offline', { isOnline: false }, missed('offline')],
    ['waits while the broker is away', { up: null, late: limitMs }, wait],
    ['is missed when the broker was away for longer', { up: null, late: limitMs + 1 }, missed('server-down')],
    ['waits for a board to be heard after the link came up', { up: settleMs - 1, heardAfterUp: -1 }, wait],
    ['waits for that no longer than half a minute', { up: settleMs, heardAfterUp: -1 }, send],
    ['is sent at once to a board that was heard since', { up: 1, heardAfterUp: 0 }, send],
    ['waits, though too late, for what the board says', { up: 1, heardAfterUp: -1, late: limitMs + 1 }, wait],
    ['waits for an offline board that has had no time', { up: 1, heardAfterUp: -1, isOnline: false }, wait],
    ['waits for a board while the link was down then', { up: 50_000, late: 50_001, isOnline: false }, wait],
    ['is missed by a board with the link up then', { up: 50_000, late: 50_000, isOnline: false }, missed('offline')]
  ])('%s', (_what, asked, verdict) => expect(judge(asked)).toEqual(verdict))

  it.each<[Case, Verdict]>([
    [{ action: 'on', outletOn: true }, { kind: 'done' }],
    [{ action: 'off', outletOn: false }, { kind: 'done' }],
    [{ action: 'on', outletOn: false }, send],
    [{ action: 'off', outletOn: true }, send],
    [{ action: 'on', outletOn: true, isSecondTry: false }, send],
    [{ action: 'on', outletOn: true, up: 1, heardAfterUp: -1 }, wait],
    [{ action: 'on', outletOn: true, isOnline: false }, { kind: 'done' }],
    [{ action: 'on', outletOn: true, late: limitMs + 1 }, { kind: 'done' }]
  ])('that may have been sent is done where the board has said so: %j', (asked, verdict) =>
    expect(judge({ isSecondTry: true, ...asked })).toEqual(verdict)
  )
})

describe('of occurrences for one outlet at one instant', () => {
  const one = (
    _id: string,
    changes: { phase?: 'start' | 'end'; outlet?: number; board?: string; at?: number } = {}
  ) => ({
    _id,
    phase: changes.phase ?? ('start' as const),
    switchIndex: changes.outlet ?? 0,
    deviceId: changes.board ?? 'board',
    dueAt: new Date(changes.at ?? dueMs)
  })
  const losers = (...contenders: ReturnType<typeof one>[]) => {
    const found = supersededAmong(contenders)
    expect(supersededAmong(contenders.toReversed())).toEqual(found)
    return [...found].toSorted()
  }

  it('the newest schedule wins', () => {
    for (const order of ['abc', 'bca', 'cab', 'cba', 'acb', 'bac'])
      expect(losers(...Array.from(order, (id) => one(id)))).toEqual(['a', 'b'])
  })

  it('a start wins over an end, whichever is newer', () => {
    expect(losers(one('a'), one('b', { phase: 'end' }))).toEqual(['b'])
    expect(losers(one('a', { phase: 'end' }), one('b'))).toEqual(['a'])
    expect(losers(one('a', { phase: 'end' }), one('b', { phase: 'end' }))).toEqual(['a'])
  })

  it('none loses to itself, to another outlet, another board or another instant', () => {
    expect(losers(one('a'), one('a'))).toEqual([])
    expect(
      losers(one('a'), one('b', { outlet: 1 }), one('c', { board: 'other' }), one('d', { at: dueMs + 1 }))
    ).toEqual([])
  })
})

it('an occurrence that is switched half a minute after its time is on time, and late after that', () => {
  const dueAt = new Date(dueMs)
  expect([firedAs({ dueAt }, dueMs + 30_000), firedAs({ dueAt }, dueMs + 30_001)]).toEqual(['confirmed', 'late'])
})
