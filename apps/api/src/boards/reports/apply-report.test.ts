import { deviceReport, type DeviceReport } from '@batti/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aLiveDevice, fourOutlets } from '../../testing/live-device.ts'
import { adoptReport, judgeReport } from './apply-report.ts'

const report = (fields: Partial<DeviceReport> = {}): DeviceReport =>
  deviceReport.parse({
    bootId: 'boot-0001',
    seq: 1,
    switch: [false, false, false, false],
    speed: [0, 0, 0, 0],
    cause: 'button',
    ...fields
  })

describe('a report of a board', () => {
  it('changes what differs from the known state, and nothing else', () => {
    const outcome = judgeReport(aLiveDevice(), report({ switch: [false, true, false, false] }))
    expect(outcome).toMatchObject({ kind: 'applied', changed: [{ index: 1, kind: 'switch', on: true }] })
  })

  it('treats a speed as a change of a fan only', () => {
    const device = aLiveDevice({ outlets: fourOutlets({ fanIndexes: [2] }) })
    const outcome = judgeReport(device, report({ speed: [9, 9, 140, 9] }))
    expect(outcome).toMatchObject({ kind: 'applied', changed: [{ index: 2, kind: 'fan', on: false, level: 140 }] })
  })

  it('is late when a newer one of the same boot is known', () => {
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 7 })
    expect(judgeReport(device, report({ seq: 7, switch: [true, true, true, true] }))).toEqual({
      kind: 'late',
      changed: [],
      found: []
    })
  })

  it('is late when its boot was followed by another', () => {
    const device = aLiveDevice({ bootId: 'boot-0002', earlierBoots: ['boot-0001'], seq: 1 })
    expect(judgeReport(device, report({ seq: 99 })).kind).toBe('late')
  })

  it('of an unknown boot starts a new one, whatever its seq', () => {
    const device = aLiveDevice({ bootId: 'boot-0000', seq: 900 })
    const late = report({ seq: 1, switch: [true, false, false, false] })
    expect(judgeReport(device, late).kind).toBe('applied')
    adoptReport(device, late, 5)
    expect(device).toMatchObject({
      bootId: 'boot-0001',
      seq: 1,
      earlierBoots: ['boot-0000'],
      outlets: [{ on: true }, { on: false }, { on: false }, { on: false }],
      stateAt: 5
    })
  })

  it('confirms revisions, except those from which the server could not continue', () => {
    const device = aLiveDevice({ configConfirmedRev: 3, schedulesConfirmedRev: 4 })
    const last = Number.MAX_SAFE_INTEGER
    adoptReport(device, report({ seq: 1, configRev: last, schedulesRev: last - 1 }), 5)
    expect(device).toMatchObject({ configConfirmedRev: 3, schedulesConfirmedRev: 4 })
    adoptReport(device, report({ seq: 2, configRev: 7, schedulesRev: 2 }), 6)
    expect(device).toMatchObject({ configConfirmedRev: 7, schedulesConfirmedRev: 2 })
  })

  it('leaves to a missing earlier report what that one will explain', () => {
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
    const newer = report({ seq: 6, switch: [true, true, false, false], changed: [1] })
    expect(judgeReport(device, newer)).toMatchObject({
      kind: 'applied',
      changed: [{ index: 1, kind: 'switch', on: true }],
      found: [{ index: 0, kind: 'switch', on: true }]
    })
    adoptReport(device, newer, 1)
    const earlier = report({ seq: 5, switch: [true, false, false, false], changed: [0] })
    expect(judgeReport(device, earlier)).toMatchObject({
      kind: 'late',
      changed: [{ index: 0, kind: 'switch', on: true }]
    })
  })

  it.each([5, 3])(
    'changes an outlet once that it names twice, and none that is not there, new or late (%i after 4)',
    (seq) => {
      const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
      const outcome = judgeReport(device, report({ seq, changed: [0, 3, 3, 9] }))
      expect(outcome).toMatchObject({ changed: [{ index: 0 }, { index: 3 }] })
    }
  )

  it('of an unknown boot whose first reports are missing logs what it names, though it looks unchanged', () => {
    const device = aLiveDevice({ bootId: 'boot-0000', seq: 900 })
    const outcome = judgeReport(device, report({ seq: 2, changed: [3] }))
    expect(outcome).toMatchObject({ kind: 'applied', changed: [{ index: 3, on: false }], found: [] })
  })

  it('logs what it names, though nothing before it was lost and it looks unchanged', () => {
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
    const outcome = judgeReport(device, report({ seq: 5, changed: [3] }))
    expect(outcome).toMatchObject({ kind: 'applied', changed: [{ index: 3, on: false }], found: [] })
  })

  it.each([
    ['boot-0001', 5, [0, 3], []],
    ['boot-0001', 6, [3], [0]],
    ['boot-0002', 1, [0, 3], []],
    ['boot-0002', 2, [3], [0]]
  ])('of boot %s with seq %i, after seq 4 of boot-0001, changed %j, and left %j', (bootId, seq, changed, found) => {
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
    const outcome = judgeReport(device, report({ bootId, seq, switch: [true, false, false, false], changed: [3] }))
    expect(outcome).toMatchObject({
      kind: 'applied',
      changed: changed.map((index) => ({ index })),
      found: found.map((index) => ({ index })),
      mayBeExplained: false
    })
  })

  it.each([
    [5, 'resync', false],
    [6, 'resync', true],
    [6, 'button', false]
  ] as const)(
    'that names nothing, of seq %i after 4 and for %s, may be explained: %s',
    (seq, cause, mayBeExplained) => {
      const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
      expect(judgeReport(device, report({ seq, cause, switch: [true, false, false, false] }))).toMatchObject({
        kind: 'applied',
        changed: [{ index: 0 }],
        found: [],
        mayBeExplained
      })
    }
  )

  it('that is late logs what it had to log when it first came, rather than what it names', () => {
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 7 })
    const late = report({ seq: 5, switch: [true, true, true, false], changed: [0] })
    expect(judgeReport(device, late, { changed: [1], found: [2, 9] })).toMatchObject({
      kind: 'late',
      changed: [{ index: 1, on: true }],
      found: [{ index: 2, on: true }]
    })
  })

  it('of the wrong length says how many outlets either has', () => {
    expect(judgeReport(aLiveDevice(), report({ switch: [true], speed: [0] }))).toEqual({
      kind: 'misfit',
      reason: 'this board has 4 outlets, the report has 1'
    })
  })

  it('of a fan’s known speed changes nothing', () => {
    const device = aLiveDevice({ outlets: fourOutlets({ fanIndexes: [2] }) })
    adoptReport(device, report({ speed: [0, 0, 140, 0] }), 1)
    expect(judgeReport(device, report({ seq: 2, speed: [0, 0, 140, 0] }))).toMatchObject({ changed: [], found: [] })
  })

  it('begins the connections anew with a boot only, and remembers no boot before the first', () => {
    const device = aLiveDevice({ bootId: '', conn: 3 })
    adoptReport(device, report(), 1)
    expect(device).toMatchObject({ bootId: 'boot-0001', conn: 0, earlierBoots: [] })
    device.conn = 3
    adoptReport(device, report({ seq: 2 }), 2)
    expect(device).toMatchObject({ bootId: 'boot-0001', conn: 3, earlierBoots: [] })
  })

  it('remembers the last eight boots', () => {
    const device = aLiveDevice({ bootId: 'boot-first', seq: 1 })
    for (let boot = 0; boot < 20; boot++) adoptReport(device, report({ bootId: `boot-num-${boot}` }), boot)
    expect(device.earlierBoots).toHaveLength(7)
    expect(device.earlierBoots[0]).toBe('boot-num-18')
  })

  it('results in the newest state, in whatever order and however often reports of a boot arrive', () => {
    const orders = fc.integer({ min: 1, max: 12 }).chain((count) => {
      const seqs = Array.from({ length: count }, (_, index) => index + 1)
      return fc.tuple(fc.constant(count), fc.shuffledSubarray([...seqs, ...seqs], { minLength: count * 2 }))
    })
    fc.assert(
      fc.property(orders, ([count, order]) => {
        const device = aLiveDevice()
        for (const seq of order) {
          const arriving = report({ seq, switch: [seq % 2 === 0, seq % 3 === 0, seq === count, false] })
          if (judgeReport(device, arriving).kind === 'applied') adoptReport(device, arriving, seq)
        }
        expect(device.outlets.map(({ on }) => on)).toEqual([count % 2 === 0, count % 3 === 0, true, false])
        expect(device.seq).toBe(count)
      })
    )
  })
})
