import type { RolloutStageInput } from '@batti/contracts'
import { describe, expect, it } from 'vitest'
import { defaultStages, planStages, sizeOf, stageDocuments, type PlannedBoard } from './plan-stages.ts'

const board = (id: string, changes: Partial<PlannedBoard> = {}): PlannedBoard => ({
  id,
  labels: [],
  isOnline: true,
  ...changes
})
const boards = (count: number): PlannedBoard[] =>
  Array.from({ length: count }, (_, index) => board(`b${String(index).padStart(2, '0')}`))
const stage = (size: Partial<RolloutStageInput>): RolloutStageInput => ({ then: 'go', ...size })

describe('the stages of a rollout that names none', () => {
  it.each([
    ['one board', ['home'], { devices: 1 }],
    ['the lab where there is one', ['home', 'lab'], { group: 'lab' }]
  ])('begin with %s, then 5, 25 and 100 percent a day apart', (_what, labels, first) => {
    expect(defaultStages([board('a'), board('b', { labels })])).toEqual([
      { ...first, holdMinutes: 30, then: 'go' },
      { percent: 5, holdMinutes: 24 * 60, then: 'go' },
      { percent: 25, holdMinutes: 24 * 60, then: 'go' },
      { percent: 100, then: 'go' }
    ])
  })
})

describe('boards are put into stages', () => {
  it('by number, by cumulative percentage rounded up, and each once', () => {
    const { taken, left } = planStages([{ devices: 1 }, { percent: 25 }, { percent: 26 }].map(stage), boards(10))
    expect(taken).toEqual([['b00'], ['b01', 'b02'], []])
    expect(left).toBe(7)
    expect(planStages([stage({ percent: 100 })], boards(3))).toEqual({ taken: [['b00', 'b01', 'b02']], left: 0 })
    expect(planStages([stage({ percent: 100 })], boards(1000)).left).toBe(0)
  })

  it('none for a percentage that earlier stages have passed', () => {
    expect(planStages([{ devices: 3 }, { percent: 10 }, { percent: 40 }].map(stage), boards(10)).taken).toEqual([
      ['b00', 'b01', 'b02'],
      [],
      ['b03']
    ])
  })

  it('by label, of those that no earlier stage took', () => {
    const all = [board('a', { labels: ['lab'] }), board('b', { labels: ['lab', 'home'] }), board('c')]
    expect(planStages([{ devices: 1 }, { group: 'lab' }, { percent: 100 }].map(stage), all)).toEqual({
      taken: [['a'], ['b'], ['c']],
      left: 0
    })
  })

  it('online ones first, and in the order of their ids whatever order they come in', () => {
    const all = [board('c'), board('d', { isOnline: false }), board('b'), board('a', { isOnline: false })]
    for (const order of [all, all.toReversed()])
      expect(planStages([stage({ devices: 4 })], order).taken).toEqual([['b', 'c', 'a', 'd']])
  })
})

describe('a stage as it is stored', () => {
  it('keeps the size that was asked for, and no other', () => {
    expect([{ devices: 2 }, { percent: 5 }, { group: 'lab' }, {}].map(stage).map(sizeOf)).toStrictEqual([
      { devices: 2 },
      { percent: 5 },
      { group: 'lab' },
      {}
    ])
  })

  it('has its own hold, else the rollout’s, else half an hour; and only the first has begun', () => {
    const stages = [stage({ devices: 1, holdMinutes: 5 }), stage({ percent: 100 })]
    const startedAt = new Date(7)
    const common = { then: 'go', endedAt: null }
    expect(stageDocuments(stages, [['a', 'b']], { holdMinutes: 60, startedAt })).toEqual([
      { ...common, devices: 1, holdMinutes: 5, total: 2, startedAt },
      { ...common, percent: 100, holdMinutes: 60, total: 0, startedAt: null }
    ])
    expect(stageDocuments(stages, [], { holdMinutes: undefined, startedAt })[1]?.holdMinutes).toBe(30)
  })
})
