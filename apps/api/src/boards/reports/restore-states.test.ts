import { rememberedBoots } from '@batti/contracts'
import { Types } from 'mongoose'
import { describe, expect, it } from 'vitest'
import { createRestoring, type StoredState } from './restore-states.ts'

const stored: StoredState = {
  switch: [false, false],
  speed: [0, 0],
  bootId: 'boot-0002',
  seq: 10,
  earlierBoots: ['boot-0001'],
  stateAt: 1000,
  conn: 3
}
const row = (seq: number, switchIndex: number, state: boolean, more: { bootId?: string; speed?: number } = {}) => ({
  deviceId: new Types.ObjectId(),
  switchIndex,
  state,
  speed: more.speed ?? 0,
  report: { bootId: more.bootId ?? 'boot-0002', seq },
  createdAt: new Date(1000 + seq)
})
const stateAfter = (rows: Parameters<ReturnType<typeof createRestoring>['take']>[0], board = stored) => {
  const restoring = createRestoring(board)
  restoring.take(rows)
  return restoring.result()
}

describe("a board's state restored from the log", () => {
  it('is that of the newest report of each outlet', () => {
    const rows = [row(11, 0, true), row(12, 1, true, { speed: 90 }), row(13, 0, false)]
    expect(stateAfter(rows)).toEqual({
      ...stored,
      switch: [false, true],
      speed: [0, 90],
      seq: 13,
      stateAt: 1013
    })
  })

  it('is not changed by what it contains already, nor by an earlier boot', () => {
    expect(stateAfter([row(9, 0, true), row(10, 1, true), row(99, 0, true, { bootId: 'boot-0001' })])).toBeNull()
  })

  it('is not undone by a late report', () => {
    expect(stateAfter([row(13, 0, true), row(12, 0, false), row(11, 1, true)])).toMatchObject({
      switch: [true, true],
      seq: 13
    })
  })

  it('starts over with a new boot, which no report of the previous boot overwrites', () => {
    const rows = [row(11, 0, true), row(1, 1, true, { bootId: 'boot-0003' }), row(14, 1, false)]
    expect(stateAfter(rows)).toEqual({
      switch: [true, true],
      speed: [0, 0],
      bootId: 'boot-0003',
      seq: 1,
      earlierBoots: ['boot-0002', 'boot-0001'],
      stateAt: 1011,
      conn: 0
    })
  })

  it('follows a new boot in outlets that the previous boot reported later', () => {
    expect(stateAfter([row(11, 0, true), row(1, 0, false, { bootId: 'boot-0003' })])).toMatchObject({
      switch: [false, false],
      bootId: 'boot-0003'
    })
  })

  it('remembers as many boots as a running board has, and none for a board that had never reported', () => {
    const boots = Array.from({ length: rememberedBoots - 1 }, (_, index) => `earlier-${index}`)
    const after = stateAfter([row(1, 0, true, { bootId: 'boot-0003' })], { ...stored, earlierBoots: boots })
    expect(after?.earlierBoots).toEqual(['boot-0002', ...boots.slice(0, -1)])
    const first = stateAfter([row(1, 0, true)], { ...stored, bootId: '', seq: 0, earlierBoots: [] })
    expect(first).toMatchObject({ bootId: 'boot-0002', earlierBoots: [], switch: [true, false] })
  })

  it('ignores outlets that the board does not have, and rows without a state', () => {
    expect(stateAfter([row(11, 2, true), row(12, 7, true)])).toBeNull()
    const whole = row(11, 0, true)
    expect(stateAfter([{ ...whole, report: null }])).toBeNull()
    expect(stateAfter([{ ...whole, switchIndex: null }])).toBeNull()
    expect(stateAfter([{ ...whole, state: null }])).toBeNull()
  })
})
