import { setTimeout as wait } from 'node:timers/promises'
import { isRecord } from '@batti/kit/json'
import { inPages } from '../../platform/store/batches/in-pages.ts'
import { searchKeysOf } from '../../platform/store/lists/search-keys.ts'
import { boardFields, type ColumnKeeper, type ListedBoard } from './keep-columns.ts'

const boardsAtOnce = 200
/** Pause between two batches, in milliseconds, so that others are not delayed. */
const pauseMs = 100

/** Fields with search keys, which are missing in databases of earlier versions. */
const searched: readonly [model: string, field: string, form?: (text: string) => string][] = [
  ['User', 'name'],
  ['User', 'email'],
  ['User', 'phone'],
  ['Device', 'deviceName'],
  ['Device', 'setName'],
  ['Device', 'deviceCode'],
  ['Device', 'deviceMac', (mac) => mac.replaceAll(':', '').toLowerCase()],
  ['Room', 'roomName'],
  ['Switch', 'switchName'],
  ['Schedule', 'label'],
  ['AuditLog', 'target.label'],
  ['AuditLog', 'actor.name']
]

/**
 * Checks everything once and repairs wrong columns: after an upgrade, and after a crash between a change and its
 * consequences. Returns how many rows were wrong; stops when `isStopping`.
 */
export async function sweepColumns(keeper: ColumnKeeper, isStopping: () => boolean): Promise<number> {
  const { rows, keepBoards, keepHomes, keepRooms } = keeper
  let wrong = 0
  for (const [name, field, form] of searched) wrong += await addMissingKeys(keeper, { name, field, form }, isStopping)
  for await (const boards of inPages<ListedBoard, keyof ListedBoard>(rows('Device'), {}, boardFields, boardsAtOnce)) {
    if (isStopping()) return wrong
    wrong += await keepBoards(boards)
    await wait(pauseMs)
  }
  for (const [name, keep] of [
    ['User', keepHomes],
    ['Room', keepRooms]
  ] as const) {
    for await (const page of inPages(rows(name), {}, {})) {
      if (isStopping()) return wrong
      wrong += await keep(page.map(({ _id }) => String(_id)))
      await wait(pauseMs)
    }
  }
  return wrong
}

async function addMissingKeys(
  { rows }: ColumnKeeper,
  { name, field, form }: { name: string; field: string; form: ((text: string) => string) | undefined },
  isStopping: () => boolean
): Promise<number> {
  const model = rows<Record<string, unknown>>(name)
  const path = `searchKeys.${field}`
  let added = 0
  for (;;) {
    const page = await model
      .find({ [path]: null }, { [field]: 1 })
      .limit(boardsAtOnce)
      .lean()
    if (page.length === 0 || isStopping()) return added
    await model.bulkWrite(
      page.map((row) => ({
        updateOne: {
          filter: { _id: row._id },
          update: { $set: { [path]: searchKeysOf(valueAt(row, field), form) } },
          timestamps: false
        }
      })),
      { ordered: false, timestamps: false }
    )
    added += page.length
    await wait(pauseMs)
  }
}

const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), row)
