import { Types, type Connection } from 'mongoose'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createCommandModel, type CommandDocument } from '../commands/command.model.ts'
import { createActionLogModel, type ActionLogDocument } from './action-log.model.ts'
import type { OwnedBoard } from './lookups-under-way.ts'
import { nameCauses } from './name-causes.ts'
import { createReportLookups } from './report-lookups.ts'

const sita = String(new Types.ObjectId())
const loggedAt = Date.parse('2026-11-21T08:20:00.000Z')
const said = { bootId: 'boot-0001', switch: [true], speed: [0], cause: 'button' as const }

let connection: Connection
let lookups: ReturnType<typeof createReportLookups>
let actionLogs: ReturnType<typeof createActionLogModel>
let commands: ReturnType<typeof createCommandModel>
beforeAll(async () => {
  const database = await connectTestDatabase('&monitorCommands=true')
  connection = database.connection
  actionLogs = createActionLogModel(connection)
  commands = createCommandModel(connection)
  lookups = createReportLookups({ actionLogs, commands, isClustered: false })
  return database.close
})
/** Creates a board of Sita whose log has rows of that many reports, a second apart, except of the missing ones. */
async function aLoggedBoard(reports: number, missing: readonly number[] = []): Promise<{ id: string; userId: string }> {
  const deviceId = new Types.ObjectId()
  const all = Array.from({ length: reports }, (_, index) => index).filter((index) => !missing.includes(index + 1))
  await actionLogs.insertMany(
    all.map((index) => ({
      kind: 'change',
      deviceId,
      description: 'Lamp turned ON',
      from: 'board',
      report: { bootId: said.bootId, seq: index + 1 },
      createdAt: new Date(loggedAt + index * 1000)
    }))
  )
  return { id: String(deviceId), userId: sita }
}

const isLogged = async (board: OwnedBoard, own: { seq: number; occurredAt?: number }): Promise<boolean> =>
  (await lookups.placeInLog(board, { ...said, ...own })).isLogged

/** Counts the reads that the database is asked for, and how many of them run, or wait for a connection, at the same time. */
function countReads(): { all: number; atOnce: number } {
  const reads = { all: 0, atOnce: 0 }
  let running = 0
  const wanted = (): void => void (reads.atOnce = Math.max(reads.atOnce, (running += 1)))
  const begun = ({ commandName }: { commandName: string }): void => void (reads.all += commandName === 'find' ? 1 : 0)
  const ended = (): void => void (running -= 1)
  const client = connection.getClient()
  client.on('connectionCheckOutStarted', wanted).on('commandStarted', begun).on('commandSucceeded', ended)
  onTestFinished(() => {
    client.off('connectionCheckOutStarted', wanted).off('commandStarted', begun).off('commandSucceeded', ended)
  })
  return reads
}

test('reports of one board that come together are looked up with one read', async () => {
  const board = await aLoggedBoard(5)
  const reads = countReads()
  const seqs = Array.from({ length: 40 }, (_, index) => index + 1)
  const found = await Promise.all(seqs.map((seq) => isLogged(board, { seq, occurredAt: loggedAt })))
  expect(found).toEqual(seqs.map((seq) => seq <= 5))
  expect(reads.all).toBe(1)
})

test('a report that comes after the read has begun, which may miss its row, is looked up with another read', async () => {
  const board = await aLoggedBoard(5)
  const reads = countReads()
  const look = (seq: number): Promise<boolean> => isLogged(board, { seq })
  const second = new Promise((resolve) =>
    connection.getClient().once('commandStarted', () => {
      resolve(look(5))
    })
  )
  expect(await Promise.all([look(6), second])).toEqual([false, true])
  expect(reads.all).toBe(2)
})

test('a repeated report of a board that kept hundreds is found, and a missing one has a time between its neighbours', async () => {
  const board = await aLoggedBoard(300, [4, 5])
  const placeOf = (seq: number) => lookups.placeInLog(board, { ...said, seq })
  expect(await placeOf(3)).toEqual({ isLogged: true })
  const next = loggedAt + 5000
  expect(await Promise.all([4, 5].map(placeOf))).toEqual([
    { isLogged: false, overtakenAt: next - 2 },
    { isLogged: false, overtakenAt: next - 1 }
  ])
  expect(await placeOf(301)).toEqual({ isLogged: false })
})

test('a report from before more rows than are read back is found near the time that its board gave', async () => {
  const board = await aLoggedBoard(1100)
  expect(await isLogged(board, { seq: 3, occurredAt: loggedAt + 2000 })).toBe(true)
})

test('a command of another board, whose id a board may guess, tells that board nothing', async () => {
  const [own, other] = [await aLoggedBoard(0), await aLoggedBoard(0)]
  const sent: CommandDocument = {
    _id: 'one-1',
    deviceId: new Types.ObjectId(own.id),
    userId: null,
    set: [],
    cause: { by: 'user', from: 'web', userName: 'Sita' },
    state: 'sent',
    sentAt: new Date(loggedAt),
    expiresAt: new Date(loggedAt)
  }
  await commands.create(sent)
  expect(await lookups.findCause(own, 'one-1')).toMatchObject({ userName: 'Sita' })
  expect(await lookups.findCause(other, 'one-1')).toBeUndefined()
  expect([await lookups.findSentAt('one-1'), await lookups.findSentAt('one-2')]).toEqual([loggedAt, null])
})

test('the rows of a board are read no further than to an earlier report', async () => {
  const board = await aLoggedBoard(300, [250])
  const reads = countReads()
  expect(await lookups.placeInLog(board, { ...said, seq: 250 })).toMatchObject({ isLogged: false })
  expect(reads.all).toBe(1)
})

test('lookups of one account read one after the other, whichever board and whatever is looked up', async () => {
  const boards = await Promise.all([aLoggedBoard(120), aLoggedBoard(120), aLoggedBoard(1)])
  const held = await Promise.all([aLoggedBoard(1), aLoggedBoard(1)])
  const reads = countReads()
  const searches = held.map(({ id, userId }) =>
    lookups.findLogged(id, [{ ...rowOf(id, 2), state: true, userId: new Types.ObjectId(userId) }])
  )
  const found = await Promise.all(
    boards.flatMap((board) => [
      // Too old for the newest rows, so that it is searched near its own time as well.
      isLogged(board, { seq: 1, occurredAt: loggedAt }),
      lookups.findCause(board, 'nobody-sent-it')
    ])
  )
  expect(found).toEqual([true, undefined, true, undefined, true, undefined])
  await Promise.all(searches)
  expect(reads.atOnce).toBe(1)
})

test('causes of commands that one account asks for together are read together', async () => {
  const board = await aLoggedBoard(0)
  await actionLogs.collection.insertOne(rowOf(board.id, 7))
  const reads = countReads()
  const seqs = Array.from({ length: 40 }, (_, seq) => seq)
  const causes = await Promise.all(seqs.map((seq) => lookups.findCause(board, `c-${seq}`)))
  expect(causes).toEqual(seqs.map((seq) => (seq === 7 ? { by: 'button' } : undefined)))
  expect(reads).toEqual({ all: expect.any(Number) as number, atOnce: 1 })
  expect(reads.all).toBeLessThan(20)
})

test('lookups of another account do not wait for those of one', async () => {
  const boards = await Promise.all(Array.from({ length: 20 }, () => aLoggedBoard(1)))
  const other = { ...(await aLoggedBoard(1)), userId: String(new Types.ObjectId()) }
  const answered: string[] = []
  await Promise.all(
    [...boards, other].map(async (board) => {
      await isLogged(board, { seq: 1 })
      answered.push(board.userId)
    })
  )
  expect(answered.indexOf(other.userId)).toBeLessThan(20)
})

const rowOf = (deviceId: string, seq: number) =>
  ({
    _id: new Types.ObjectId(),
    kind: 'change',
    deviceId: new Types.ObjectId(deviceId),
    commandId: `c-${seq}`,
    cause: { by: 'button' },
    report: { bootId: said.bootId, seq },
    createdAt: new Date(loggedAt)
  }) as ActionLogDocument

test('the reports that all boards repeat after an outage are looked up in few reads, of which few run at a time', async () => {
  const boards = Array.from({ length: 20 }, () => ({ id: String(new Types.ObjectId()), userId: null }))
  await actionLogs.collection.insertMany(boards.map(({ id }) => rowOf(id, 7)))
  const seqs = Array.from({ length: 30 }, (_, seq) => seq)
  const looked = countReads()
  const found = await Promise.all(
    boards.flatMap((board) => seqs.map((seq) => isLogged(board, { seq, occurredAt: loggedAt })))
  )
  expect(found).toEqual(boards.flatMap(() => seqs.map((seq) => seq === 7)))
  expect(looked).toEqual({ all: 20, atOnce: 6 })
  const asked = countReads()
  const causes = await Promise.all(boards.flatMap((board) => seqs.map((seq) => lookups.findCause(board, `c-${seq}`))))
  expect(causes.filter((cause) => cause?.by === 'button')).toHaveLength(20)
  expect(asked.all).toBeLessThan(100)
})

test('causes of many rows are named in commands that the database can answer in time', async () => {
  const sizes: number[] = []
  const begun = ({ command }: { command: { updates?: unknown[] } }): void => {
    if (command.updates !== undefined) sizes.push(command.updates.length)
  }
  const client = connection.getClient().on('commandStarted', begun)
  onTestFinished(() => void client.off('commandStarted', begun))
  await nameCauses(
    actionLogs,
    Array.from({ length: 501 }, (_, seq) => rowOf(String(new Types.ObjectId()), seq)),
    new Set()
  )
  expect(sizes).toEqual([500, 1])
})
