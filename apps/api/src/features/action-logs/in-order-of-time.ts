import type { Model, QueryFilter } from 'mongoose'
import { indexOfBoard, type ActionLogDocument } from '../../boards/reports/action-log.model.ts'

type Condition = QueryFilter<ActionLogDocument>
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

const windowMax = 10_000

/**
 * Yields the rows that match, in order of time. Each query reads a limited number of rows: one over a long log, for few rows
 * that match, would exceed the deadline of a call (`database.ts`). `size`: how many at first; more where few match.
 */
export async function* inOrderOfTime(
  model: Model<ActionLogDocument>,
  { within, also, direction, after = null }: Stretch,
  size: number
): AsyncGenerator<FoundRow[]> {
  const [near, far] = direction === -1 ? (['$lte', '$gte'] as const) : (['$gte', '$lte'] as const)
  const order = { createdAt: direction, _id: direction }
  const hint = within['deviceId'] === undefined ? {} : { hint: indexOfBoard }
  let start = after?.createdAt.getTime()
  for (;;) {
    const rest = start === undefined ? [within] : [within, { createdAt: { [near]: new Date(start) } }]
    const beyond = await model
      .findOne({ $and: rest }, { createdAt: 1 }, hint)
      .sort(order)
      .skip(Math.min(size, windowMax))
      .lean<Pick<ActionLogDocument, 'createdAt'>>()
    const next = beyond?.createdAt.getTime()
    // A moment with more rows than that is read as a whole.
    const end = next === undefined ? undefined : next === start ? start : next - direction
    const bound = end === undefined ? [] : [{ createdAt: { [far]: new Date(end) } }]
    const found = await model
      .find({ $and: [...rest, ...bound, also] }, { createdAt: 1 }, hint)
      .sort(order)
      .lean<FoundRow[]>()
    yield after === null ? found : found.filter((row) => isBehind(row, after, direction))
    if (end === undefined) return
    start = end + direction
    size *= 2
  }
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
  { enough, isWanted = () => true }: { enough: number; isWanted?: (() => boolean) | undefined }
): Promise<FoundRow[]> {
  const all: FoundRow[] = []
  for await (const found of inOrderOfTime(model, stretch, Math.max(enough, 500))) {
    all.push(...found)
    if (all.length >= enough || !isWanted()) break
  }
  return all
}
