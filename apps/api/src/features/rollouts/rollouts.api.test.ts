import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { DeviceRecord, RolloutRecord, RolloutTarget } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startInstance, startProduct, type Person, type TestProduct } from '../../testing/product.ts'
import { createUpdatableBoard, type UpdatableBoard, type UpdateManner } from '../../testing/updatable-board.ts'

let product: TestProduct
let admin: Person
let owner: Person
const boards: UpdatableBoard[] = []
beforeAll(async () => {
  product = await startProduct({ FIRMWARE_PROVE_S: '0', CLUSTER_ADAPTER: 'mongo' })
  admin = await product.person('admin')
  owner = await product.person()
})
afterAll(async () => {
  for (const each of boards) each.stop()
  await product.stop()
})

let versions = 1
/** A released image of a version that no other test has. */
async function image(fields: Record<string, string> = {}): Promise<{ fileName: string; version: string }> {
  const version = `2.0.${(versions += 1)}`
  const fileName = `wall-${version}.bin`
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('firmware', new Blob([new Uint8Array(randomBytes(5000))]), fileName)
  const answer = await fetch(`${product.url}/api/v1/device-firmware-files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form
  })
  expect(answer.status).toBe(201)
  return { fileName, version }
}
async function board(manner: UpdateManner = 'obey', osVersion = '1.0.0'): Promise<UpdatableBoard> {
  const made = await createUpdatableBoard(product, await product.pair(owner), { manner, osVersion })
  boards.push(made)
  return made
}
/** One after the other: the stages of a rollout take boards by their ids. */
async function several(manners: UpdateManner[]): Promise<UpdatableBoard[]> {
  const made: UpdatableBoard[] = []
  for (const manner of manners) made.push(await board(manner))
  return made
}
const idsOf = (list: UpdatableBoard[]): string[] => list.map(({ credentials }) => credentials.deviceId)

const send = async (method: string, path: string, body?: object, as = admin) => product.call(method, path, { as, body })
const create = async (body: object): Promise<RolloutRecord> => {
  const made = await send('POST', '/rollouts', body)
  expect(made.status, made.body.message).toBe(201)
  return made.body.data
}
const rollout = async (id: string): Promise<RolloutRecord> => (await send('GET', `/rollouts/${id}`)).body.data
const reaches = (id: string, matches: (record: RolloutRecord) => boolean) =>
  until('the rollout is as expected', async () => matches(await rollout(id)))
type NamedTarget = RolloutTarget & { deviceName: string }
const targetsOf = async (id: string, query = ''): Promise<NamedTarget[]> =>
  ((await send('GET', `/rollouts/${id}/targets${query}`)).body.data as { targets: NamedTarget[] }).targets
const all = [{ percent: 100 }]

/** The subjects' ids of that action in the audit log. */
async function audited(action: string): Promise<(string | null)[]> {
  const { logs } = (await send('GET', `/audit-logs?action=${action}`)).body.data as {
    logs: { target: { _id: string | null } }[]
  }
  return logs.map(({ target }) => target._id)
}

describe('the update of one board', () => {
  test('is downloaded, restarted and proved, live on the screen of its owner, and locks its switches meanwhile', async () => {
    const { fileName, version } = await image()
    const lamp = await board('ignore')
    const [deviceId] = idsOf([lamp])
    const screen = await product.screen(owner)
    await screen.send('join-user-room', owner.id)
    const listed = (await send('GET', '/rollouts')).body.data['total']
    const started = await send('POST', '/update-device-firmware', { deviceId, fileName })
    expect([started.status, started.body.message]).toEqual([200, 'Firmware update initiated.'])
    await until('the board is sent the update', () => lamp.updates.length === 1)
    expect(lamp.updates[0]).toMatchObject({ version, size: 5000, id: (started.body.data as { id: string }).id })

    const again = await send('POST', '/update-device-firmware', { deviceId, fileName })
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    lamp.say('download', 40)
    await screen.next('firmware-progress', ({ phase, percent }) => phase === 'download' && percent === 40)
    const record = async (): Promise<DeviceRecord> =>
      (await send('GET', `/devices/${deviceId}`, undefined, owner)).body.data
    const firmware = { id: lamp.updates[0]?.id, version, phase: 'download', percent: 40 }
    expect((await record()).firmware).toEqual(firmware)
    const renamed = await send('PATCH', `/devices/${deviceId}`, { setName: 'Porch' }, owner)
    expect(renamed.body.data).toMatchObject({ setName: 'Porch', firmware })
    const toggle = (): ReturnType<typeof screen.send> =>
      screen.send('toggle-all-switches', { deviceMac: lamp.credentials.deviceId, state: true })
    const { deviceMac } = await record()
    const press = () => screen.send('toggle-all-switches', { deviceMac, state: true })
    expect((await toggle()).ok).toBe(false)
    expect(await press()).toMatchObject({ ok: true })
    lamp.say('install')
    await screen.next('firmware-progress', ({ phase }) => phase === 'install')
    expect(await press()).toMatchObject({ ok: false, code: 'CONFLICT' })
    lamp.say('reboot', 100)
    await lamp.restart(version)
    await screen.next('firmware-progress', ({ phase }) => phase === 'proving')
    const happened = async () =>
      (
        (await send('GET', `/devices/${deviceId}/events?kind=firmware`)).body.data as { events: { detail: string }[] }
      ).events.map(({ detail }) => detail)
    await screen.next('firmware-progress', ({ phase }) => phase === 'done')
    await until('the rollout is done', async () => (await happened()).includes('done'))
    expect(await press()).toMatchObject({ ok: true })
    expect((await record()).firmware).toBeNull()
    expect((await record()).osVersion).toBe(version)
    const choices = (await send('GET', `/update-device-firmware?deviceId=${deviceId}`)).body as unknown as {
      data: { version: string; installed?: true }[]
    }
    expect(choices.data.filter(({ installed }) => installed === true).map((each) => each.version)).toEqual([version])
    expect((await send('GET', '/rollouts')).body.data).toMatchObject({ total: listed })
    expect(await audited('firmware.update')).toContain(deviceId)
  })

  test('is refused with the reason', async () => {
    const [released, draft] = [await image(), await image({ state: 'draft' })]
    const lamp = await board('ignore')
    const [deviceId] = idsOf([lamp])
    const start = async (fileName: string, id = deviceId) => {
      const { status, body } = await send('POST', '/update-device-firmware', { deviceId: id, fileName })
      return [status, body.code]
    }
    expect(await start(draft.fileName)).toEqual([409, 'CONFLICT'])
    expect(await start('none-1.0.0.bin')).toEqual([404, 'NOT_FOUND'])
    expect(await start(released.fileName, '65a0000000000000000000ff')).toEqual([404, 'NOT_FOUND'])
    expect((await send('POST', '/update-device-firmware', { deviceId })).status).toBe(400)
    await lamp.leave()
    await until(
      'the board is offline',
      async () => (await send('GET', `/devices/${deviceId}`)).body.data['isOnline'] === false
    )
    expect(await start(released.fileName)).toEqual([409, 'DEVICE_OFFLINE'])
    expect((await send('GET', '/update-device-firmware')).status).toBe(400)
  })
})

test('if a file is deleted while a board is sent it, either it remains or nothing is sent', async () => {
  for (const lamp of await several(['ignore', 'ignore', 'ignore'])) {
    const { fileName } = await image()
    const [deviceId] = idsOf([lamp])
    const [started, deleted] = await Promise.all([
      send('POST', '/update-device-firmware', { deviceId, fileName }),
      send('DELETE', `/device-firmware-files/${fileName}`)
    ])
    expect([
      [200, 409],
      [404, 200]
    ]).toContainEqual([started.status, deleted.status])
  }
})

describe('a rollout', () => {
  test('proceeds in stages, asks, and ends when all boards are done', async () => {
    const { fileName, version } = await image()
    const four = await several(['obey', 'obey', 'obey', 'obey'])
    const body = {
      fileName,
      target: { deviceIds: idsOf(four) },
      stages: [
        { devices: 1, holdMinutes: 0, then: 'ask' },
        { percent: 100, holdMinutes: 0 }
      ]
    }
    const preview = await send('POST', '/rollouts/preview', body)
    expect(preview.body.data).toEqual({ total: 4, stages: [1, 3], excluded: [] })
    const made = await create(body)
    expect(made).toMatchObject({
      kind: 'firmware',
      fileName,
      version,
      state: 'running',
      total: 4,
      maxFailurePercent: 5,
      atOnce: 10,
      allowedHours: null,
      updateWhen: 'any',
      follow: false,
      paused: null,
      failures: [],
      createdBy: admin.id,
      stages: [
        { devices: 1, holdMinutes: 0, then: 'ask', total: 1, done: 0 },
        { percent: 100, holdMinutes: 0, then: 'go', total: 3, done: 0, startedAt: null, endedAt: null }
      ]
    })
    expect((await send('DELETE', `/device-firmware-files/${fileName}`)).status).toBe(409)
    await reaches(made._id, ({ state }) => state === 'asking')
    expect((await rollout(made._id)).counts).toEqual({ done: 1, waiting: 3 })
    expect(four.filter(({ updates }) => updates.length > 0)).toHaveLength(1)
    expect((await send('PATCH', `/rollouts/${made._id}`, { state: 'running' })).status).toBe(200)
    await reaches(made._id, ({ state }) => state === 'done')
    const ended = await rollout(made._id)
    expect(ended.counts).toEqual({ done: 4 })
    expect(ended.stages.map(({ done, endedAt }) => [done, endedAt === null])).toEqual([
      [1, false],
      [3, false]
    ])
    expect(four.map(({ osVersion, updates }) => [osVersion, updates.length])).toEqual(four.map(() => [version, 1]))
    for (const state of ['running', 'paused', 'cancelled'])
      expect((await send('PATCH', `/rollouts/${made._id}`, { state })).status, state).toBe(409)
    expect((await send('POST', `/rollouts/${made._id}/retry`, {})).body.data).toMatchObject({ state: 'done' })
    const twice = await send('POST', '/rollouts/preview', body)
    expect(twice.body.data).toEqual({ total: 0, stages: [0, 0], excluded: [{ reason: 'up-to-date', count: 4 }] })
    expect((await send('POST', '/rollouts', body)).status).toBe(409)
    expect((await send('DELETE', `/device-firmware-files/${fileName}`)).status).toBe(200)
    for (const action of ['rollout.create', 'rollout.update']) expect(await audited(action)).toContain(made._id)
  })

  test('pauses by itself when boards fail, is resumed, and failed boards are retried', async () => {
    const { fileName } = await image()
    const four = await several(['bad-image', 'boots-badly', 'obey', 'obey'])
    const { _id } = await create({ fileName, target: { deviceIds: idsOf(four) }, stages: all, atOnce: 2 })
    await reaches(
      _id,
      ({ state, counts }) => state === 'paused' && (counts.failed ?? 0) + (counts['rolled-back'] ?? 0) === 2
    )
    const paused = await rollout(_id)
    expect(paused.paused).toMatchObject({ by: 'failures', failed: 2, limit: 5 })
    expect(paused.failures).toEqual(
      expect.arrayContaining([
        { code: 'checksum', count: 1, retryable: true },
        { code: 'boot-failed', count: 1, retryable: true }
      ])
    )
    const [rolledBack] = await targetsOf(_id, '?phase=rolled-back')
    expect(rolledBack).toMatchObject({ deviceId: four[1]?.credentials.deviceId, error: { code: 'boot-failed' } })
    expect((await send('POST', `/rollouts/${_id}/retry`, { reason: 'signature' })).body.data).toMatchObject({
      state: 'paused'
    })
    expect((await send('POST', `/rollouts/${_id}/retry`, { reason: 'checksum', deviceIds: idsOf(four) })).status).toBe(
      400
    )
    for (const each of four) each.manner = 'obey'
    const first = four[0]?.updates[0]?.id
    expect((await send('POST', `/rollouts/${_id}/retry`, {})).body.data).toMatchObject({
      state: 'running',
      paused: null
    })
    await reaches(_id, ({ state }) => state === 'done')
    expect((await rollout(_id)).counts).toEqual({ done: 4 })
    expect(four[0]?.updates).toHaveLength(2)
    expect(four[0]?.updates[1]?.id).not.toBe(first)
  })

  test('that has ended is open again, as is its last stage, while its failed boards are retried', async () => {
    const { fileName } = await image()
    const two = await several(['obey', 'bad-image'])
    const stages = [{ devices: 1, holdMinutes: 0 }, { percent: 100 }]
    const { _id } = await create({ fileName, target: { deviceIds: idsOf(two) }, stages })
    await reaches(_id, ({ state }) => state === 'done')
    const ends = (record: RolloutRecord) => record.stages.map(({ endedAt }) => endedAt)
    const before = ends(await rollout(_id))
    for (const each of two) each.manner = 'obey'
    const retried = (await send('POST', `/rollouts/${_id}/retry`, {})).body.data as RolloutRecord
    expect([retried.state, ...ends(retried)]).toEqual(['running', before[0], null])
    await reaches(_id, ({ state, counts }) => state === 'done' && counts.done === 2)
    const after = ends(await rollout(_id))
    expect(after[0]).toBe(before[0])
    expect(Date.parse(after[1] ?? '')).toBeGreaterThan(Date.parse(before[1] ?? ''))
  })

  test('is reported to staff through a socket, at most four times a second, and to nobody else', async () => {
    const { fileName } = await image()
    const lamps = await several(['ignore', 'ignore', 'ignore'])
    const [staff, home] = await Promise.all([product.screen(admin), product.screen(owner)])
    expect(await staff.send('join-staff-room', undefined)).toMatchObject({ ok: true })
    expect(await home.send('join-staff-room', undefined)).toMatchObject({ ok: false, code: 'FORBIDDEN' })
    const from = performance.now()
    const { _id } = await create({ fileName, target: { deviceIds: idsOf(lamps) }, stages: all, atOnce: 9 })
    const received = (): { id: string; counts: object; target?: RolloutTarget }[] =>
      (staff.heard('rollout-progress') as ReturnType<typeof received>).filter(({ id }) => id === _id)
    const reached = (counts: object) =>
      until('the screens hear the counts', () => isDeepStrictEqual({ ...received().at(-1)?.counts }, counts))
    await until('each board is sent the update once', () => lamps.every(({ updates }) => updates.length === 1))
    for (const phase of ['download', 'verify', 'install']) for (const lamp of lamps) lamp.say(phase)
    await reached({ install: 3 })
    const [first] = lamps
    first?.say('reboot', 50)
    await reached({ install: 2, reboot: 1 })
    // The previous message may have been combined with that of another board, which names none.
    first?.say('reboot', 100)
    const { deviceId } = first?.credentials ?? {}
    const last = { deviceId, phase: 'reboot', percent: 100 }
    await expect.poll(() => received().at(-1)?.target).toMatchObject(last)
    expect(received().length).toBeLessThanOrEqual((performance.now() - from) / 250 + 1)
    expect(home.heard('rollout-progress')).toEqual([])
    await send('PATCH', `/rollouts/${_id}`, { state: 'cancelled' })
  })

  test('is paused and cancelled by staff; waiting boards are skipped', async () => {
    const { fileName } = await image()
    const two = await several(['ignore', 'ignore'])
    const { _id } = await create({ fileName, target: { deviceIds: idsOf(two) }, stages: all, atOnce: 1 })
    await reaches(_id, ({ counts }) => counts.sent === 1)
    const change = async (state: string) => (await send('PATCH', `/rollouts/${_id}`, { state })).body
    expect((await change('paused')).data).toMatchObject({
      state: 'paused',
      paused: { by: 'staff', tried: 1, failed: 0 }
    })
    expect((await change('paused')).data).toMatchObject({ state: 'paused' })
    const busy = await send('POST', '/rollouts/preview', { fileName, target: { deviceIds: idsOf(two) } })
    expect(busy.body.data).toMatchObject({ total: 0, excluded: [{ reason: 'busy', count: 2 }] })
    expect((await change('running')).data).toMatchObject({ state: 'running', paused: null })
    expect((await change('cancelled')).data).toMatchObject({ state: 'cancelled' })
    expect((await rollout(_id)).counts).toEqual({ sent: 1, skipped: 1 })
    expect((await send('POST', `/rollouts/${_id}/retry`, {})).status).toBe(409)
    // Updates in progress on boards are finished.
    const busyBoard = two.find(({ updates }) => updates.length > 0)
    busyBoard?.say('reboot', 100)
    await busyBoard?.restart(busyBoard.updates[0]?.version ?? '')
    await reaches(_id, ({ counts }) => counts.done === 1)
  })

  test('of a file that is withdrawn pauses, and continues when the file is released again', async () => {
    const { fileName } = await image()
    const made = await create({ fileName, target: { deviceIds: idsOf([await board('ignore')]) }, stages: all })
    const file = (state: string) => send('PATCH', `/device-firmware-files/${fileName}`, { state })
    const resume = async () => (await send('PATCH', `/rollouts/${made._id}`, { state: 'running' })).status
    expect((await file('withdrawn')).status).toBe(200)
    await reaches(made._id, ({ state }) => state === 'paused')
    expect(await resume()).toBe(409)
    expect((await file('released')).status).toBe(200)
    expect(await resume()).toBe(200)
    await send('PATCH', `/rollouts/${made._id}`, { state: 'cancelled' })
  })

  test('sends the same job again after a power cut, four times in all', async () => {
    const { fileName } = await image()
    const [lamp] = await several(['power-cut'])
    if (lamp === undefined) throw new Error('no board')
    const { _id } = await create({ fileName, target: { deviceIds: idsOf([lamp]) }, stages: all })
    await reaches(_id, ({ counts }) => counts.failed === 1)
    expect((await targetsOf(_id))[0]?.error?.code).toBe('power-lost')
    expect(new Set(lamp.updates.map(({ id }) => id)).size).toBe(1)
    expect(lamp.updates).toHaveLength(4)
  })

  test('waits for offline boards, takes later ones, and follows the filter until it is cancelled', async () => {
    const { fileName, version } = await image()
    const [away] = await several(['obey'])
    const person = await product.person()
    const mine = await createUpdatableBoard(product, await product.pair(person), {})
    boards.push(mine)
    await away?.leave()
    const { _id } = await create({ fileName, target: { filter: { userId: person.id } }, stages: all, follow: true })
    await reaches(_id, ({ counts }) => counts.done === 1)
    expect((await rollout(_id)).state).toBe('running')
    const late = await createUpdatableBoard(product, await product.pair(person), {})
    boards.push(late)
    await reaches(_id, ({ counts, total }) => counts.done === 2 && total === 2)
    expect(late.osVersion).toBe(version)
    expect((await send('PATCH', `/rollouts/${_id}`, { state: 'cancelled' })).status).toBe(200)

    const other = await create({
      fileName,
      target: { deviceIds: idsOf(away === undefined ? [] : [away]) },
      stages: all
    })
    await until('the target waits', async () => (await targetsOf(other._id))[0]?.phase === 'waiting')
    await away?.restart('1.0.0')
    await reaches(other._id, ({ state }) => state === 'done')
  })

  test('sends an intermediate version if the image requires it', async () => {
    const [step, wanted] = await Promise.all([image(), image()])
    const lamp = await board()
    const body = { fileName: wanted.fileName, target: { deviceIds: idsOf([lamp]) }, stages: all }
    await send('PATCH', `/device-firmware-files/${wanted.fileName}`, { from: { min: step.version } })
    const { _id } = await create(body)
    await reaches(_id, ({ state }) => state === 'done')
    expect(lamp.updates.map(({ version }) => version)).toEqual([step.version, wanted.version])
  })

  test('is rolled forward to the boards that it updated, and ends itself', async () => {
    const [first, second] = await Promise.all([image(), image()])
    const two = await several(['obey', 'obey'])
    const { _id } = await create({ fileName: first.fileName, target: { deviceIds: idsOf(two) }, stages: all })
    await reaches(_id, ({ state }) => state === 'done')
    expect((await send('POST', `/rollouts/${_id}/roll-forward`, { fileName: first.fileName })).status).toBe(409)
    const forward = await send('POST', `/rollouts/${_id}/roll-forward`, { fileName: second.fileName })
    expect(forward.status).toBe(201)
    expect((await rollout(_id)).state).toBe('cancelled')
    await reaches(
      (forward.body.data as RolloutRecord)._id,
      ({ state, counts }) => state === 'done' && counts.done === 2
    )
  })

  test('is refused with the field or the reason', async () => {
    const { fileName } = await image()
    const draft = await image({ state: 'draft' })
    const lamp = await board('ignore')
    const target = { deviceIds: idsOf([lamp]) }
    const status = async (body: object, path = '/rollouts'): Promise<number> => (await send('POST', path, body)).status
    expect(await status({ fileName: draft.fileName, target })).toBe(409)
    expect(await status({ fileName: 'none-1.0.0.bin', target })).toBe(404)
    expect(await status({ fileName, target: { deviceIds: ['65a0000000000000000000ff'] } })).toBe(404)
    expect(await status({ fileName, target: { filter: { hwModel: 'none' } } })).toBe(409)
    expect(await status({ fileName, target: { filter: { hwModel: 'none' } } }, '/rollouts/preview')).toBe(200)
    for (const wrong of [
      { stages: [{ percent: 50 }] },
      { atOnce: 0 },
      { allowedHours: { from: '01:00', to: '01:00' } },
      { follow: true },
      { updateWhen: 'later' }
    ])
      expect(await status({ fileName, target, ...wrong }), JSON.stringify(wrong)).toBe(400)
    await send('PATCH', `/device-firmware-files/${fileName}`, { state: 'withdrawn' })
    const withdrawn = await send('POST', '/rollouts/preview', { fileName, target })
    expect(withdrawn.body.data).toMatchObject({ total: 0, excluded: [{ reason: 'withdrawn', count: 1 }] })
    expect(await status({ fileName, target })).toBe(409)
    expect((await send('GET', '/rollouts/65a0000000000000000000ff')).status).toBe(404)
    expect((await send('GET', '/rollouts?sort=secret')).status).toBe(400)
  })

  test('is sorted by progress and by failures, and its boards by name and by reason', async () => {
    const { fileName } = await image()
    const lamps = await several(['obey', 'bad-image', 'obey'])
    const names = ['Stairs', 'Attic', 'Cellar']
    for (const [index, deviceId] of idsOf(lamps).entries())
      expect((await send('PATCH', `/devices/${deviceId}`, { setName: names[index] }, owner)).status).toBe(200)
    const half = await create({ fileName, target: { deviceIds: idsOf(lamps) }, stages: all, maxFailurePercent: 100 })
    await reaches(half._id, ({ state }) => state === 'done')
    const whole = await create({ fileName, target: { deviceIds: idsOf(await several(['obey'])) }, stages: all })
    await reaches(whole._id, ({ state }) => state === 'done')

    const ids = async (query: string): Promise<string[]> => {
      const { rollouts } = (await send('GET', `/rollouts?${query}`)).body.data as { rollouts: RolloutRecord[] }
      return rollouts.map(({ _id }) => _id).filter((id) => [half._id, whole._id].includes(id))
    }
    expect(await ids('sort=failed')).toEqual([whole._id, half._id])
    expect(await ids('sort=-failed')).toEqual([half._id, whole._id])
    expect(await ids('sort=progress')).toEqual([half._id, whole._id])
    expect(await ids(`sort=-progress&search=${fileName}&limit=1&page=2`)).toEqual([half._id])

    const sorted = async (query: string) => (await targetsOf(half._id, query)).map(({ deviceName }) => deviceName)
    expect(await sorted('?sort=deviceName')).toEqual(['Attic', 'Cellar', 'Stairs'])
    expect(await sorted('?sort=-deviceName&limit=2')).toEqual(['Stairs', 'Cellar'])
    expect((await sorted('?sort=-error'))[0]).toBe('Attic')
  })

  test('is visible to a monitor who sees boards, and to no other', async () => {
    const monitor = await product.monitor(['view devices'])
    const seen = await send('GET', '/rollouts', undefined, monitor)
    expect(seen.status).toBe(200)
    const { total, byState } = seen.body.data as { total: number; byState: Record<string, number> }
    expect(Object.values(byState).reduce((sum, count) => sum + count, 0)).toBe(total)
    // Each state has its count, whichever of them the list shows.
    expect((await send('GET', '/rollouts?state=cancelled', undefined, monitor)).body.data).toMatchObject({
      total: byState['cancelled'] ?? 0,
      byState
    })
    expect((await send('GET', '/rollouts?phase=cancelled', undefined, monitor)).body.data).toMatchObject({
      total: byState['cancelled'] ?? 0
    })
    expect((await send('GET', '/rollouts?state=cancelled,done', undefined, monitor)).body.data).toMatchObject({
      total: (byState['cancelled'] ?? 0) + (byState['done'] ?? 0)
    })
    for (const query of ['phase=asleep', 'phase=done&state=running', 'state=done,asleep'])
      expect((await send('GET', `/rollouts?${query}`, undefined, monitor)).status).toBe(400)
    expect((await send('POST', '/rollouts', {}, monitor)).status).toBe(403)
    expect((await send('GET', '/rollouts', undefined, owner)).status).toBe(403)
  })

  test('is started by another admin if approval is required', async () => {
    const { fileName } = await image()
    const lamp = await board()
    const second = await product.person('admin')
    const { url, product: instance } = await startInstance({ ...product.settings, ROLLOUT_APPROVAL: '1' })
    const ask = async (method: string, path: string, as: Person, body: object) => {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
      return { status: answer.status, data: ((await answer.json()) as { data: RolloutRecord }).data }
    }
    try {
      const made = await ask('POST', '/rollouts', admin, {
        fileName,
        target: { deviceIds: idsOf([lamp]) },
        stages: all
      })
      expect(made.data.state).toBe('waiting-approval')
      const path = `/rollouts/${made.data._id}`
      expect((await ask('PATCH', path, admin, { state: 'running' })).status).toBe(403)
      expect(lamp.updates).toEqual([])
      const file = (state: string) => send('PATCH', `/device-firmware-files/${fileName}`, { state })
      await file('withdrawn')
      expect((await ask('PATCH', path, second, { state: 'running' })).status).toBe(409)
      await file('released')
      expect((await ask('PATCH', path, second, { state: 'running' })).data.state).toBe('running')
      await reaches(made.data._id, ({ state }) => state === 'done')
    } finally {
      await instance.stop()
    }
  })
})

describe('two instances', () => {
  test('update each board once', async () => {
    const { fileName } = await image()
    const { product: instance } = await startInstance(product.settings)
    try {
      const eight = await several(Array.from({ length: 8 }, () => 'obey' as const))
      const { _id } = await create({ fileName, target: { deviceIds: idsOf(eight) }, stages: all, atOnce: 3 })
      await reaches(_id, ({ state }) => state === 'done')
      expect(eight.map(({ updates }) => updates.length)).toEqual(eight.map(() => 1))
    } finally {
      await instance.stop()
    }
  })
})

describe('a bulk change', () => {
  test('is done when each board has confirmed it', async () => {
    const two = await several(['ignore', 'ignore'])
    const deviceIds = idsOf(two)
    const preview = await send('POST', '/bulk/devices?preview=1', { deviceIds, set: { activeColor: 'red' } })
    expect([preview.status, preview.body.data]).toEqual([200, { total: 2, excluded: [] }])
    const made = await send('POST', '/bulk/devices', { deviceIds, set: { activeColor: 'red' } })
    const { id, total } = made.body.data as { id: string; total: number }
    expect([made.status, total]).toEqual([201, 2])
    const revOf = (each: UpdatableBoard) =>
      each.link().heard.find(({ name }) => name === 'config-update')?.payload as { rev: number } | undefined
    await until('both boards have a revision', () => two.every((each) => revOf(each) !== undefined))
    expect(await rollout(id)).toMatchObject({ kind: 'settings', state: 'running', set: { activeColor: 'red' } })
    two[0]?.link().report({ cause: 'config', configRev: revOf(two[0])?.rev ?? 0 })
    await reaches(id, ({ counts }) => counts.done === 1 && counts.sent === 1)
    two[1]?.link().report({ cause: 'config', configRev: revOf(two[1])?.rev ?? 0 })
    await reaches(id, ({ state }) => state === 'done')
  })

  test('of the room is done when it is stored, also for offline boards; a room of another user is not found', async () => {
    const lamp = await board('ignore')
    await lamp.leave()
    const [deviceId] = idsOf([lamp])
    const room = async (as: Person): Promise<string> =>
      ((await send('POST', '/rooms', { roomName: `Room ${versions}` }, as)).body.data as { _id: string })._id
    const foreign = await room(await product.person())
    expect((await send('POST', '/bulk/devices', { deviceIds: [deviceId], set: { setRoom: foreign } })).status).toBe(404)
    const made = await send('POST', '/bulk/devices', { deviceIds: [deviceId], set: { setRoom: await room(owner) } })
    await reaches((made.body.data as { id: string }).id, ({ state }) => state === 'done')
    expect((await send('POST', '/bulk/devices', { deviceIds: [deviceId], set: {} })).status).toBe(400)
    expect(
      (
        await send('POST', '/bulk/devices', {
          deviceIds: [deviceId],
          set: { api: { host: 'a.example', port: 1 }, mqtt: { host: 'b.example', port: 2 } }
        })
      ).status
    ).toBe(400)
  })

  test.each(['/bulk/devices', '/bulk/devices?preview=1'])(
    'of the time zone to an unknown one is refused by %s',
    async (path) => {
      const { status, body } = await send('POST', path, { filter: {}, set: { timezone: 'Mars/x' } })
      expect(status).toBe(400)
      expect(body).toMatchObject({ errors: [{ path: 'set.timezone' }] })
    }
  )
})
