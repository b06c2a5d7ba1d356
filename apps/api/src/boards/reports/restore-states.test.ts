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
const stateAfter = (rows: readonly ReturnType<typeof row>[]) => {
  const restoring = createRestoring(stored)
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

  it('ignores outlets that the board does not have', () => {
    expect(stateAfter([row(11, 7, true)])).toBeNull()
  })
})
