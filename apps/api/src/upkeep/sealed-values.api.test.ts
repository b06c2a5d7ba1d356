import { randomBytes } from 'node:crypto'
import { Types } from 'mongoose'
import { expect, onTestFinished, test } from 'vitest'
import { createSecretBox } from '../platform/store/secret-box.ts'
import { startApi } from '../testing/test-api.ts'
import { countSealed, sealedFields } from './sealed-values.ts'

const boards = 1203

test('sealed values are read in pages, so that no database call exceeds its time limit', async () => {
  const app = await startApi({ hearsQueries: true })
  onTestFinished(() => app.stop())
  const { db } = app.connection
  const [sealed] = sealedFields
  if (db === undefined || sealed === undefined) throw new Error('not connected')
  const box = createSecretBox({ key: randomBytes(32).toString('base64') })
  const ids = Array.from({ length: boards }, () => new Types.ObjectId())
  const rows = ids.map((_id) => ({
    _id,
    deviceMac: String(_id),
    [sealed.field]: box.seal('secret', sealed.context(String(_id)))
  }))
  await db.collection(sealed.collection).insertMany(rows)
  const pages: unknown[] = []
  const hear = ({ command }: { command: Record<string, unknown> }): void => {
    if (command['find'] === sealed.collection) pages.push(command['limit'])
  }
  const client = app.connection.getClient()
  client.on('commandStarted', hear)
  expect(await countSealed(db, box)).toEqual({ current: boards, earlier: 0, unreadable: 0 })
  client.off('commandStarted', hear)
  expect(pages).toEqual([500, 500, 500])
})
