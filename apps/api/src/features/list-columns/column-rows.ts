import type { Connection, Model, Types } from 'mongoose'
import { inBatches } from '../../platform/store/batches/in-batches.ts'

type Columns = Readonly<Record<string, unknown>>
export type Row<Fields = object> = Fields & { _id: Types.ObjectId; list?: Columns; counts?: Columns }
export type Id = Types.ObjectId | string | null | undefined

/** Accesses rows and their columns by model name: each feature has its own collection, and only lists span them. */
export function createColumnRows(connection: Connection) {
  const rows = <Fields = object>(name: string): Model<Row<Fields>> => connection.model<Row<Fields>>(name)

  async function byId<Fields>(name: string, ids: readonly Id[], fields: object): Promise<Map<string, Row<Fields>>> {
    const wanted = idsOf(ids)
    if (wanted.length === 0) return new Map()
    const found = await rows<Fields>(name)
      .find({ _id: { $in: wanted } }, fields)
      .lean<Row<Fields>[]>()
    return new Map(found.map((row) => [String(row._id), row]))
  }

  /** Writes the columns that differ; returns how many rows were changed. */
  async function write(name: string, field: 'list' | 'counts', changes: readonly [Row, Columns][]): Promise<number> {
    const wrong = changes.filter(([row, columns]) =>
      Object.entries(columns).some(([column, value]) => (row[field]?.[column] ?? null) !== value)
    )
    for (const batch of inBatches(wrong)) {
      await rows(name).bulkWrite(
        batch.map(([{ _id }, columns]) => ({
          updateOne: { filter: { _id }, update: { $set: { [field]: columns } }, timestamps: false }
        })),
        { ordered: false, timestamps: false }
      )
    }
    return wrong.length
  }
  return { rows, byId, write }
}

export const idsOf = (ids: readonly Id[]): string[] => [
  ...new Set(ids.flatMap((id) => (id === null || id === undefined ? [] : [String(id)])))
]
