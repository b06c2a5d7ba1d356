import { Types, type Connection } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createActionLogModel } from '../../boards/reports/action-log.model.ts'
import { firstInTime, inOrderOfTime, type Stretch } from './in-order-of-time.ts'

let connection: Connection
let logs: ReturnType<typeof createActionLogModel>
let finds = 0
const [deviceId, other] = [new Types.ObjectId(), new Types.ObjectId()]
const start = Date.parse('2026-11-20T06:00:00Z')

/** The seconds of the rows of one board: seven share a moment. */
const seconds = [0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 4, 5, 6]

beforeAll(async () => {
  const database = await connectTestDatabase('&monitorCommands=true')
  connection = database.connection
  connection.getClient().on('commandStarted', ({ commandName }) => (finds += commandName === 'find' ? 1 : 0))
  logs = createActionLogModel(connection)
  await logs.createIndexes()
  const rowsOf = (board: Types.ObjectId) =>
    seconds.map((second, index) => ({
      kind: 'change',
      description: `row ${index}`,
      from: index % 3 === 0 ? 'web' : 'board',
      deviceId: board,
      createdAt: new Date(start + second * 1000)
    }))
  await logs.insertMany([...rowsOf(deviceId), ...rowsOf(other)])
  return database.close
})

const everything = (direction: 1 | -1): Stretch => ({ within: { deviceId }, also: {}, direction })
const expected = (stretch: Stretch) =>
  logs
    .find({ $and: [stretch.within, stretch.also] })
    .sort({ createdAt: stretch.direction, _id: stretch.direction })
    .lean()
async function idsOf(stretch: Stretch, size: number): Promise<string[]> {
  const ids: string[] = []
  for await (const found of inOrderOfTime(logs, stretch, size)) ids.push(...found.map(({ _id }) => String(_id)))
  return ids
}

test.each([
  [1, 1],
  [1, 3],
  [1, 100],
  [-1, 1],
  [-1, 3],
  [-1, 7],
  [-1, 100]
] as const)('every row is read once, in direction %d with windows of %d', async (direction, size) => {
  for (const also of [{}, { from: 'web' as const }]) {
    const stretch = { ...everything(direction), also }
    const rows = await expected(stretch)
    expect(await idsOf(stretch, size)).toEqual(rows.map(({ _id }) => String(_id)))
    for (const [index, { _id, createdAt }] of rows.entries()) {
      const after = { id: String(_id), createdAt }
      expect(await idsOf({ ...stretch, after }, size)).toEqual(rows.slice(index + 1).map((row) => String(row._id)))
    }
  }
})

test('a time in the condition bounds what is read', async () => {
  const within = { deviceId, createdAt: { $gt: new Date(start + 1000), $lte: new Date(start + 4000) } }
  expect(await idsOf({ ...everything(-1), within }, 2)).toHaveLength(9)
})

test('no more is read than is enough, or than somebody waits for', async () => {
  await logs.insertMany(
    Array.from({ length: 10_001 }, (_, index) => ({
      kind: 'change',
      description: 'Lamp turned ON',
      from: 'board',
      createdAt: new Date(start + index)
    }))
  )
  const within = { deviceId: null }
  const queriesFor = async (options: Parameters<typeof firstInTime>[2]): Promise<number> => {
    finds = 0
    await firstInTime(logs, { within, also: { from: 'web' }, direction: -1 }, options)
    return finds
  }
  // Two for each window: of 500 rows, 1,000, 2,000, 4,000 and the rest.
  expect(await queriesFor({ enough: 1 })).toBe(10)
  expect(await queriesFor({ enough: 1, isWanted: () => false })).toBe(2)
  expect(await queriesFor({ enough: 0 })).toBe(2)
})
