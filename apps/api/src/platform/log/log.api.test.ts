import { Schema, type Connection } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createLogger } from './log.ts'

let connection: Connection
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  return database.close
})

/** The lines that it writes. */
function lineOf(err: unknown): { err: Record<string, unknown> } {
  let line = ''
  createLogger({ LOG_LEVEL: 'info' }, { write: (text) => void (line += text) }).error({ err }, 'went wrong')
  return JSON.parse(line) as { err: Record<string, unknown> }
}

test('a failed bulk write is logged without its rows and their texts', async () => {
  const model = connection.model<{ _id: number; name: string }>('Row', new Schema({ _id: Number, name: String }))
  const rows = [1, 1, 2, 3].map((_id) => ({ _id, name: 'Sita Sharma' }))
  const failed: unknown = await model.insertMany(rows, { ordered: false, lean: true }).catch((error: unknown) => error)
  const { err } = lineOf(failed)
  expect(err).toMatchObject({ type: 'MongoBulkWriteError', code: 11000, message: expect.stringContaining('E11000') })
  expect(JSON.stringify(err)).not.toContain('Sita')
  expect(err).not.toHaveProperty('writeErrors')
})

test('an error keeps its codes, its causes and its aggregated errors; other values are unchanged', () => {
  const refused = Object.assign(new Error('refused', { cause: new Error('no route') }), {
    code: 'ECONNREFUSED',
    port: 1
  })
  expect(lineOf(refused).err).toMatchObject({ message: 'refused: no route', code: 'ECONNREFUSED', port: 1 })
  expect(lineOf(new AggregateError([refused], 'all')).err).toMatchObject({
    type: 'AggregateError',
    aggregateErrors: [{ code: 'ECONNREFUSED' }]
  })
  expect(lineOf('words').err).toBe('words')
})
