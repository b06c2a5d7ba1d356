import type { Model } from 'mongoose'
import { expect, test } from 'vitest'
import { createTargetCounts } from './target-counts.ts'
import type { TargetDocument } from './target.model.ts'

type Row = Pick<TargetDocument, 'phase'>

/** Counts over these rows; `afterWaiting` is called each time the waiting ones have been counted. */
function countsOver(rows: readonly Row[], afterWaiting: () => void) {
  const countDocuments = ({ phase }: Partial<Row>) => {
    const found = rows.filter((row) => phase === undefined || row.phase === phase).length
    if (phase === 'waiting') afterWaiting()
    return Promise.resolve(found)
  }
  return createTargetCounts({ countDocuments } as unknown as Model<TargetDocument>)
}

test('a board that changes its phase while the phases are counted is counted once', async () => {
  const leaving: Row = { phase: 'waiting' }
  const { countsOf } = countsOver([leaving, { phase: 'sent' }], () => (leaving.phase = 'download'))
  expect(await countsOf('rollout')).toEqual({ sent: 1, download: 1 })
})

test('a board that never stops moving does not keep the answer waiting', async () => {
  const restless: Row = { phase: 'waiting' }
  let asked = 0
  const { countsOf } = countsOver([restless], () => {
    asked += 1
    restless.phase = asked % 2 === 1 ? 'sent' : 'waiting'
  })
  await countsOf('rollout')
  expect(asked).toBe(4)
})

test('of a rollout whose boards have all ended, no other phase is counted', async () => {
  let asked = 0
  const { countsOf } = countsOver([{ phase: 'done' }, { phase: 'rolled-back' }], () => (asked += 1))
  expect([await countsOf('rollout'), asked]).toEqual([{ done: 1, 'rolled-back': 1 }, 0])
})
