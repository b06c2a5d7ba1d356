import { randomBytes } from 'node:crypto'
import type { FirmwareProgress, RolloutRecord, UpdatePhase } from '@batti/contracts'
import { createSharedResources } from '@batti/firmware-sim/board/shared-resources'
import type { Board } from '@batti/firmware-sim/board/board'
import { createFleet, type Fleet } from '@batti/firmware-sim/fleet'
import { logIn, setUpAll } from '@batti/firmware-sim/pairing'
import { createSharedTimer } from '@batti/firmware-sim/board/shared-timer'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAnotherApi } from '../home/another-api.ts'
import { minuteMs } from '@batti/kit/durations'
import { until } from '@batti/kit/testing'

const boards = 50
/** Long enough for a board to be seen online, short enough for a test. */
const settings = { FIRMWARE_PROVE_S: '1', CLUSTER_ADAPTER: 'mongo' }

const fleetParts = { folder: null, host: '127.0.0.1', historyLimit: 300, joinMs: 0, faults: {} }

let product: Product
let fleet: Fleet
let owner: Awaited<ReturnType<typeof logIn>>
let token = ''
beforeAll(async () => {
  product = await startProduct({ empty: true, env: settings })
  const admin = accountOf(product, 'admin')
  token = (await ask<{ accessToken: string }>('POST', '/user/login', { email: admin.email, password: admin.password }))
    .accessToken
  const person = { name: 'Sita', email: 'sita@example.com', phone: '9801234567', countryCode: '+977' }
  const password = 'three quiet lamps'
  await ask('POST', '/users', { ...person, password, role: 'user' })
  fleet = createFleet({ ...fleetParts, shared: createSharedResources() })
  for (let made = 0; made < boards; made += 1) await fleet.add({ model: 'BT4', setupPort: null })
  owner = await logIn({ api: new URL(product.web), email: person.email, password })
  await setUpAll(fleet.list(), owner, { atOnce: 8, timeoutMs: 60_000, failed: () => undefined })
  await Promise.all(fleet.list().map((board) => board.whenOnline(60_000)))
})
afterAll(async () => {
  await fleet?.close()
  await product?.stop()
})

async function ask<Data>(method: string, path: string, body?: object, api = product.web): Promise<Data> {
  const answer = await fetch(`${api}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const read = (await answer.json()) as { data: Data; message: string }
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${read.message}`)
  return read.data
}

async function upload(version: string, size = 100_000): Promise<string> {
  const fileName = `wall-${version}.bin`
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(randomBytes(size))]), fileName)
  const answer = await fetch(`${product.web}/api/v1/device-firmware-files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form
  })
  expect(answer.status).toBe(201)
  return fileName
}
/** Time for the whole fleet on a machine that is busy with other tests. */
const patientMs = 4 * minuteMs
const rollout = (id: string): Promise<RolloutRecord> => ask('GET', `/rollouts/${id}`)
const reaches = (id: string, what: string, matches: (record: RolloutRecord) => boolean) =>
  until(what, async () => matches(await rollout(id)), patientMs)
const count = ({ counts }: RolloutRecord, phase: UpdatePhase): number => counts[phase] ?? 0
/** The ids of the updates of which a board reported this phase, one for each report. */
const reportsOf = (board: Board, wanted: FirmwareProgress['phase']): string[] =>
  board.history().flatMap((entry) => {
    if (entry.kind !== 'sent' || entry.topic !== 'firmware-progress') return []
    const { phase, id } = entry.payload as FirmwareProgress
    return phase === wanted ? [id] : []
  })
const installs = (board: Board): number => reportsOf(board, 'install').length

describe(`a rollout to ${boards} boards`, () => {
  it('pauses by itself when some of them fail, is resumed, and ends', async () => {
    const fileName = await upload('5.0.0')
    const spoilt = fleet.list().slice(0, 3)
    for (const board of spoilt) board.setFaults({ update: 'bad-image' })
    const { _id, total } = await ask<RolloutRecord>('POST', '/rollouts', {
      fileName,
      target: { filter: {} },
      stages: [{ percent: 100 }]
    })
    expect(total).toBe(boards)
    await reaches(_id, 'the rollout pauses', ({ state }) => state === 'paused')
    const { paused } = await rollout(_id)
    expect(paused).toMatchObject({ by: 'failures', limit: 5 })
    expect(paused?.failed).toBeGreaterThanOrEqual(2)
    for (const board of spoilt) board.setFaults({ update: 'none' })
    await ask('PATCH', `/rollouts/${_id}`, { state: 'running' })
    await reaches(
      _id,
      'nothing is left to be sent',
      (record) => count(record, 'done') + count(record, 'failed') === boards
    )
    await ask('POST', `/rollouts/${_id}/retry`, {})
    await reaches(_id, 'the rollout ends', ({ state }) => state === 'done')
    expect((await rollout(_id)).counts).toEqual({ done: boards })
    expect(fleet.list().map((board) => board.state().osVersion)).toEqual(fleet.list().map(() => '5.0.0'))
  })

  it('counts boards that fail to boot as failed, pauses, and they run the previous version again', async () => {
    const fileName = await upload('5.0.5')
    // A board waits three minutes for the server before it rolls back; these have a faster clock.
    const timer = createSharedTimer()
    const clock = { ...timer, after: (ms: number, run: () => void) => timer.after(ms / 20, run) }
    const hasty = createFleet({ ...fleetParts, shared: createSharedResources({ clock }) })
    for (let made = 0; made < 2; made += 1) await hasty.add({ model: 'BT4', setupPort: null })
    await setUpAll(hasty.list(), owner, { atOnce: 2, timeoutMs: 60_000, failed: () => undefined })
    await Promise.all(hasty.list().map((board) => board.whenOnline(60_000)))
    const before = hasty.list().map((board) => board.state().osVersion)
    for (const board of hasty.list()) board.setFaults({ update: 'boot-fails' })
    const { _id } = await ask<RolloutRecord>('POST', '/rollouts', {
      fileName,
      target: { deviceIds: hasty.list().map((board) => board.state().deviceId) },
      stages: [{ percent: 100 }]
    })
    await reaches(_id, 'the rollout pauses', ({ state }) => state === 'paused')
    expect(await rollout(_id)).toMatchObject({
      counts: { 'rolled-back': 2 },
      paused: { by: 'failures', tried: 2, failed: 2 }
    })
    expect(hasty.list().map((board) => board.state().osVersion)).toEqual(before)
    await ask('PATCH', `/rollouts/${_id}`, { state: 'cancelled' })
    const { devices } = await ask<{ devices: { _id: string; deviceMac: string }[] }>('GET', '/devices?limit=500')
    const theirs = new Set(hasty.list().map(({ mac }) => mac))
    await hasty.close()
    for (const { _id: id, deviceMac } of devices) if (theirs.has(deviceMac)) await ask('DELETE', `/devices/${id}`)
  })

  it('continues when a board lost its power during the download', async () => {
    const fileName = await upload('5.1.0', 4_000_000)
    const [unlucky] = fleet.list()
    if (unlucky === undefined) throw new Error('There is no board.')
    const { deviceId } = unlucky.state()
    const earlier = new Set(reportsOf(unlucky, 'download'))
    const { _id } = await ask<RolloutRecord>('POST', '/rollouts', {
      fileName,
      target: { deviceIds: [deviceId] },
      stages: [{ percent: 100 }]
    })
    await until('it downloads', () => reportsOf(unlucky, 'download').some((id) => !earlier.has(id)))
    unlucky.cutPower()
    await unlucky.restorePower()
    await reaches(_id, 'the rollout ends', ({ state }) => state === 'done')
    expect(unlucky.state().osVersion).toBe('5.1.0')
    expect(await rollout(_id)).toMatchObject({ counts: { done: 1 } })
  })

  it('updates each board once although the api that runs it is ended in the middle', async () => {
    const other = await startAnotherApi(product, { ...settings, PUBLIC_URL: product.web })
    const fileName = await upload('5.2.0')
    const before = new Map(fleet.list().map((board) => [board.mac, installs(board)]))
    // The instance that creates it runs it first.
    const { _id } = await ask<RolloutRecord>(
      'POST',
      '/rollouts',
      { fileName, target: { filter: {} }, stages: [{ percent: 100 }], atOnce: 5 },
      other.url
    )
    await reaches(_id, 'some are done', (record) => count(record, 'done') >= 5)
    await other.kill()
    expect((await rollout(_id)).state).toBe('running')
    await reaches(_id, 'the rollout ends', ({ state }) => state === 'done')
    expect((await rollout(_id)).counts).toEqual({ done: boards })
    const once = fleet.list().map((board) => installs(board) - (before.get(board.mac) ?? 0))
    expect(once).toEqual(fleet.list().map(() => 1))
  })
})
