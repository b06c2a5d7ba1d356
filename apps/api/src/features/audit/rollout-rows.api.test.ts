import { randomBytes } from 'node:crypto'
import type { AuditLogRecord } from '@batti/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor
let lamp: AddedDevice
let rollout: string
/** Of the image that the rollout installs: each test has its own. */
let released: string
let files = 0
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  admin = app.person('admin')
})
beforeEach(async () => {
  lamp = await app.device(app.person())
  lamp.board.report({ cause: 'resync', osVersion: '1.0.0' })
  await app.settled()
  released = `2.0.${(files += 1)}`
  await upload(released)
  const body = { fileName: `wall-${released}.bin`, target: { deviceIds: [lamp.id] }, stages: [{ percent: 100 }] }
  rollout = (await call('POST', '/rollouts', body))._id
})
afterAll(() => app.stop())

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await app.call(method, path, admin, body)
  expect(answer.success, `${method} ${path}: ${answer.message}`).toBe(true)
  return answer.data
}
async function upload(version: string): Promise<string> {
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(randomBytes(500))]), `wall-${version}.bin`)
  return (await call('POST', '/device-firmware-files', form))._id
}
type Row = AuditLogRecord & { said: Record<string, unknown> }
/** The rows of a change, each with the changed fields and their values before and after. */
async function rowsOf(write: () => Promise<unknown>): Promise<Row[]> {
  const all = async (): Promise<AuditLogRecord[]> => (await call('GET', '/audit-logs?sort=-at')).logs
  const before = new Set((await all()).map(({ _id }) => _id))
  app.clock.advance(1000)
  await write()
  return (await all())
    .filter(({ _id }) => !before.has(_id))
    .map((row) => ({
      ...row,
      said: Object.fromEntries(row.changes.map(({ field, before: was, after }) => [field, [was, after]]))
    }))
}
const phaseOfAll = (phase: string) => app.connection.model('RolloutTarget').updateMany({}, { phase, isOpen: false })

test('retrying boards is recorded, also while their rollout runs, but not without any boards', async () => {
  await phaseOfAll('failed')
  const retry = () => call('POST', `/rollouts/${rollout}/retry`, {})
  const [row, ...others] = await rowsOf(retry)
  expect(row).toMatchObject({
    action: 'rollout.retry',
    target: { kind: 'rollout', _id: rollout, label: `wall-${released}.bin` }
  })
  expect(row?.said).toEqual({ failed: [1, 0] })
  expect(others).toEqual([])
  expect(await rowsOf(retry)).toEqual([])
})

test('a new rollout is recorded as planned, without its progress', async () => {
  const [row] = ((await call('GET', '/audit-logs?action=rollout.create')) as { logs: AuditLogRecord[] }).logs
  const stages = row?.changes.find(({ field }) => field === 'stages')
  expect(stages?.before).toBeNull()
  expect(JSON.stringify(stages?.after)).toBe('[{"percent":100,"holdMinutes":30,"then":"go"}]')
})

test('rolling forward creates a rollout and ends the previous one, with a row for each', async () => {
  await phaseOfAll('done')
  await upload('2.1.0')
  const forward = (fileName: string) => () => call('POST', `/rollouts/${rollout}/roll-forward`, { fileName })
  const rows = await rowsOf(forward('wall-2.1.0.bin'))
  const [made, ended] = ['rollout.roll-forward', 'rollout.update'].map((name) =>
    rows.find(({ action }) => action === name)
  )
  expect(rows).toHaveLength(2)
  expect(made?.target.label).toBe('wall-2.1.0.bin')
  expect(made?.said).toMatchObject({ fileName: [null, 'wall-2.1.0.bin'], state: [null, 'running'], total: [null, 1] })
  expect(ended?.target._id).toBe(rollout)
  expect(ended?.said).toEqual({ state: ['running', 'cancelled'] })

  await call('PATCH', `/rollouts/${made?.target._id}`, { state: 'cancelled' })
  await app.rollouts.tick()
  await upload('2.2.0')
  expect(await rowsOf(forward('wall-2.2.0.bin'))).toMatchObject([{ action: 'rollout.roll-forward' }])
})

test('settings of many boards are recorded with what was set and which record', async () => {
  await phaseOfAll('done')
  const set = { activeColor: '#00ff00' }
  let id = ''
  const rows = await rowsOf(async () => {
    id = (await call('POST', '/bulk/devices', { deviceIds: [lamp.id], set })).id
  })
  expect(rows).toMatchObject([
    { action: 'bulk.create', target: { kind: 'rollout', _id: id, label: 'settings: activeColor' } }
  ])
  expect(rows[0]?.said).toMatchObject({ set: [null, set], total: [null, 1] })
})

test('a firmware file is one subject in all of its rows', async () => {
  const id = await upload('3.0.0')
  await call('PATCH', '/device-firmware-files/wall-3.0.0.bin', { from: { min: '1.0.0' } })
  await call('DELETE', '/device-firmware-files/wall-3.0.0.bin')
  const { logs } = await call('GET', `/audit-logs?target=${id}`)
  expect(logs.map(({ action }: AuditLogRecord) => action).toSorted()).toEqual([
    'firmware-file.create',
    'firmware-file.delete',
    'firmware-file.update'
  ])
})
