import { Binary } from 'bson'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import type { Client } from '../clients.ts'
import { createDisconnects } from './disconnects.ts'

const session = Buffer.alloc(16, 1)
const within = { lsid: { id: new Binary(session, 4) }, txnNumber: 1, autocommit: false }
const increment = { update: 'things', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] }

let db: InProcess
let disconnects: ReturnType<typeof createDisconnects>
beforeEach(async () => {
  db = await openInProcess()
  disconnects = createDisconnects(db.engine)
  disconnects.arrived(db.client)
  await db.run({ insert: 'things', documents: [{ _id: 1, n: 0 }] })
  await db.run({ ...increment, ...within, startTransaction: true })
})
afterEach(() => {
  disconnects.stop()
  return db.close()
})

it('rolls a transaction back with its last connection, for others that wait, and says that it may be tried again', async () => {
  const waiting = db.run({ ...increment, lsid: { id: new Binary(Buffer.alloc(16, 2), 4) } })
  disconnects.left(db.client)
  expect(db.engine.sessions.openTransactions()).toBe(0)
  expect(await waiting).toMatchObject({ ok: 1, nModified: 1 })
  const commit = await db.run({ commitTransaction: 1, ...within })
  expect(commit).toMatchObject({ ok: 0, code: 251, errorLabels: ['TransientTransactionError'] })
})

it('leaves a transaction that another connection has used alone', async () => {
  const other: Client = { ...db.client, id: 2, sessions: new Set([session.toString('hex')]) }
  disconnects.arrived(other)
  disconnects.left(db.client)
  expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 1 })
})
