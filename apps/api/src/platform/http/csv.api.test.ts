import type { Role } from '@batti/contracts'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Actor } from '../people/actor.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
  const actor = { _id: new Types.ObjectId(), name: 'Asha', role: 'admin' }
  const row = { action: 'room.create', target: { kind: 'room', _id: null, label: 'Attic' }, changes: [], actor }
  const at = new Date()
  const rows = Array.from({ length: 1200 }, () => ({ ...row, at, expiresAt: new Date('2100-01-01') }))
  await app.connection.collection('audit_logs').insertMany(rows)
})
afterAll(() => app.stop())

/** What a client sees of an answer that ends too early, before or after its first byte has arrived. */
const brokenOff = { code: 'ECONNRESET' }

/** Exports a list of three pages. `meanwhile` runs when the first page has been read. */
async function exportWhile(asha: Actor, meanwhile: () => Promise<unknown>) {
  const rows = app.connection.model('AuditLog')
  const find = rows.find.bind(rows)
  vi.spyOn(rows, 'find').mockImplementationOnce((...args: Parameters<typeof find>) => {
    const query = find(...args)
    const exec = query.exec.bind(query)
    query.exec = async () => {
      const page = await exec()
      await meanwhile()
      return page
    }
    return query
  })
  return app.http
    .get('/api/v1/audit-logs')
    .set({ authorization: `Bearer ${await app.tokenOf(asha)}`, accept: 'text/csv' })
}

test('a table is sent as a whole to somebody who stays', async () => {
  const { text } = await exportWhile(app.person('admin'), () => Promise.resolve())
  expect(text.trimEnd().split('\r\n').length).toBeGreaterThan(1200)
})

test.each<Role>(['user', 'monitor'])('a table breaks off when its admin becomes a %s', async (role) => {
  const asha = app.person('admin')
  const demote = () => app.call('PATCH', `/users/${asha.userId}`, app.person('admin'), { role })
  await expect(exportWhile(asha, demote)).rejects.toMatchObject(brokenOff)
})

test('a table breaks off when its session ends', async () => {
  const asha = app.person('admin')
  const logOut = () => app.call('DELETE', `/user/sessions/${asha.sessionId}`, asha)
  await expect(exportWhile(asha, logOut)).rejects.toMatchObject(brokenOff)
})
