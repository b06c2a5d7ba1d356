import type { DeviceReport } from '@batti/contracts'
import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { Types, type Connection, type Model } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectDatabase } from '../../platform/store/database.ts'
import { createCommandModel } from '../commands/command.model.ts'
import { createActionLogModel, type ActionLogDocument } from './action-log.model.ts'
import { nameCauses } from './name-causes.ts'
import { createReportLookups } from './report-lookups.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let connection: Connection
let actionLogs: Model<ActionLogDocument>
/** Calls of the database. */
let calls = { started: 0, open: 0, mostOpen: 0 }
beforeAll(async () => {
  database = await startTestDatabase()
  connection = await connectDatabase(databaseUri(database.uri, createDatabaseName('report-lookups')), {
    startTimer() {
      calls.started += 1
      calls.open += 1
      calls.mostOpen = Math.max(calls.mostOpen, calls.open)
      return () => void (calls.open -= 1)
    }
  })
  actionLogs = createActionLogModel(connection)
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await database.stop()
})
beforeEach(() => {
  calls = { started: 0, open: 0, mostOpen: 0 }
})

const at = Date.UTC(2026, 10, 21)
const reportOf = (seq: number) => ({ bootId: 'boot-0001', seq, occurredAt: at }) as DeviceReport
const rowOf = (deviceId: string, seq: number) =>
  ({
    _id: new Types.ObjectId(),
    kind: 'change',
    deviceId: new Types.ObjectId(deviceId),
    commandId: `c-${seq}`,
    cause: { by: 'button' },
    report: { bootId: 'boot-0001', seq },
    createdAt: new Date(at)
  }) as ActionLogDocument

test('the reports that all boards repeat after an outage are looked up in few reads, of which few run at a time', async () => {
  const commands = createCommandModel(connection)
  const { isLogged, findCause } = createReportLookups({ actionLogs, commands, isClustered: false })
  const boards = Array.from({ length: 20 }, () => String(new Types.ObjectId()))
  await actionLogs.collection.insertMany(boards.map((id) => rowOf(id, 7)))
  calls = { started: 0, open: 0, mostOpen: 0 }
  const seqs = Array.from({ length: 30 }, (_, seq) => seq)
  const found = await Promise.all(boards.flatMap((id) => seqs.map((seq) => isLogged(id, reportOf(seq)))))
  expect(found).toEqual(boards.flatMap(() => seqs.map((seq) => seq === 7)))
  // One read of each board for its newest rows, and one for those before the time that all of its reports give.
  expect(calls).toEqual({ started: 40, open: 0, mostOpen: 6 })
  calls = { started: 0, open: 0, mostOpen: 0 }
  const causes = await Promise.all(boards.flatMap((id) => seqs.map((seq) => findCause(id, `c-${seq}`))))
  expect(causes.filter((cause) => cause?.by === 'button')).toHaveLength(20)
  expect(calls.started).toBeLessThan(100)
})

test('causes of many rows are named in commands that the database can answer in time', async () => {
  const rows = Array.from({ length: 501 }, (_, seq) => rowOf(String(new Types.ObjectId()), seq))
  await nameCauses(actionLogs, rows, new Set())
  expect(calls.started).toBe(2)
})
