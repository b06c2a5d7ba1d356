import type { Model, QueryFilter } from 'mongoose'
import { indexOfBoard, type ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import type { Page } from '../../platform/paging.ts'

type Condition = QueryFilter<ActionLogDocument>
/** Whether somebody still waits for the answer. */
export type IsWanted = (() => boolean) | undefined
type FoundRow = Pick<ActionLogDocument, '_id' | 'createdAt'>
export interface PlaceInTime {
  id: string
  createdAt: Date
}

export interface Stretch {
  /** What an index finds: of whom, of which board, from when to when. */
  within: Condition
  /** What no index finds. */
  also: Condition
  /** -1: newest first. */
  direction: 1 | -1
  /** Only rows behind this one. */
  after?: PlaceInTime | null
}

/** The most rows that one query reads: one over a long log, for few rows that match, would exceed the deadline of a call. */
const windowMax = 10_000

const orderOfTime = (direction: 1 | -1) => ({ createdAt: direction, _id: direction })
const indexOf = ({ within }: Stretch) => (within['deviceId'] === undefined ? {} : { hint: indexOfBoard })

/** Yields conditions of windows of time, one behind the other. `size`: rows in the first; each has twice as many as before. */
async function* windowsOf(model: Model<ActionLogDocument>, stretch: Stretch, size: number): AsyncGenerator<Condition> {
  const { within, direction, after } = stretch
  const [near, far] = direction === -1 ? (['$lte', '$gte'] as const) : (['$gte', '$lte'] as const)
  let start = after?.createdAt.getTime()
  for (;;) {
    const rest = start === undefined ? [within] : [within, { createdAt: { [near]: new Date(start) } }]
    const beyond = await model
      .findOne({ $and: rest }, { createdAt: 1 }, indexOf(stretch))
      .sort(orderOfTime(direction))
      .skip(Math.min(size, windowMax))
      .lean<Pick<ActionLogDocument, 'createdAt'>>()
    // Rows of one moment are not divided.
    const end = beyond?.createdAt.getTime()
    yield { $and: end === undefined ? rest : [...rest, { createdAt: { [far]: new Date(end) } }] }
    if (end === undefined) return
    start = end + direction
    size *= 2
  }
}

/** Yields the rows that match, in order of time, a window at a time. */
export async function* inOrderOfTime(
  model: Model<ActionLogDocument>,
  stretch: Stretch,
  size: number
): AsyncGenerator<FoundRow[]> {
  const { also, direction, after = null } = stretch
  for await (const window of windowsOf(model, stretch, size)) {
    const found = await model
      .find({ $and: [window, also] }, { createdAt: 1 }, indexOf(stretch))
      .sort(orderOfTime(direction))
      .lean<FoundRow[]>()
    yield after === null ? found : found.filter((row) => isBehind(row, after, direction))
  }
}

/** Returns one page of the rows that match, in order of time, and how many match, counted until `enough`. */
export async function pageInTime(
  model: Model<ActionLogDocument>,
  stretch: Stretch,
  { page: { skip, limit }, enough, isWanted = () => true }: { page: Page; enough: number; isWanted?: IsWanted }
): Promise<{ rows: ActionLogDocument[]; total: number }> {
  const rows: ActionLogDocument[] = []
  let total = 0
  for await (const window of windowsOf(model, stretch, windowMax)) {
    const matches = { $and: [window, stretch.also] }
    const before = total
    total += await model.countDocuments(matches, indexOf(stretch))
    if (total > before && total > skip && rows.length < limit) {
      const found = await model
        .find(matches, {}, indexOf(stretch))
        .sort(orderOfTime(stretch.direction))
        .skip(Math.max(0, skip - before))
        .limit(limit - rows.length)
        .lean<ActionLogDocument[]>()
      rows.push(...found)
    }
    if (total >= Math.max(enough, skip + limit) || !isWanted()) break
  }
  return { rows, total: Math.min(total, enough) }
}

function isBehind(row: FoundRow, { id, createdAt }: PlaceInTime, direction: 1 | -1): boolean {
  const apart = row.createdAt.getTime() - createdAt.getTime()
  if (apart !== 0) return Math.sign(apart) === direction
  const own = row._id.toHexString()
  return direction === 1 ? own > id : own < id
}

/** Returns the first rows of the stretch, at least `enough` unless there are fewer. Stops early if nobody waits any more. */
export async function firstInTime(
  model: Model<ActionLogDocument>,
  stretch: Stretch,
  { enough, isWanted = () => true }: { enough: number; isWanted?: IsWanted }
): Promise<FoundRow[]> {
  const all: FoundRow[] = []
  for await (const found of inOrderOfTime(model, stretch, Math.max(enough, 500))) {
    all.push(...found)
    if (all.length >= enough || !isWanted()) break
  }
  return all
}
