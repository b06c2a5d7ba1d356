import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMac } from '../../testing/a-mac.ts'
import { readConfig } from '../../platform/config.ts'
import { deviceAuth } from '../../testing/device-auth.ts'
import { startProduct, type Person, type TestProduct } from '../../testing/product.ts'

let product: TestProduct
let sita: Person
let neighbour: Person

beforeAll(async () => {
  product = await startProduct({ LIMIT_DEVICE_REFUSALS: '0', ALLOW_LEGACY_PAIRING: '1', LIMIT_BOARDS: '12' })
  sita = await product.person()
  neighbour = await product.person()
})
afterAll(() => product.stop())

const authenticate = (body: object) => product.call('POST', '/device-auth', { body })
const refusal = {
  status: 403,
  body: { code: 'DEVICE_REFUSED', message: 'This board was refused. Start the pairing again from the app.' }
}
/** The return code of a broker that refuses a password. */
const notAuthorized = 5

describe('pairing a board', () => {
  it('reports every step live, from the code to the board being online', async () => {
    const screen = await product.screen(sita)
    const claim = await product.claim(sita)
    expect(claim.userId).toBe(`${sita.id}.${claim.code}`)
    const { status, body } = await authenticate(deviceAuth(claim.userId))
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      clientId: expect.stringMatching(/^dev-/) as string,
      mqttHost: '127.0.0.1',
      keepaliveS: expect.any(Number) as number
    })
    await product.connect(body.data)
    await screen.next('claim-progress', ({ step }: { step: string }) => step === 'online')
    expect((screen.heard('claim-progress') as { step: string }[]).map(({ step }) => step)).toEqual([
      'reached',
      'claimed',
      'online'
    ])
    expect((await product.call('GET', `/device-claims/${claim.id}`, { as: sita })).body.data).toMatchObject({
      step: 'online'
    })
    expect((await product.call('GET', `/device-claims/${claim.id}`, { as: neighbour })).status).toBe(404)
  })

  it('adds its outlets as switches, named and typed', async () => {
    const owner = await product.person()
    await product.pair(owner, { deviceCode: 'BTF', hwModel: 'batti-wall-fan' })
    const { body } = await product.call('GET', '/switches', { as: owner })
    const { switches } = body.data as unknown as {
      switches: { switchName: string; type: string; switchIndex: number }[]
    }
    expect(switches.map(({ switchName, type }) => [switchName, type])).toEqual([
      ['Switch 1', 'switch'],
      ['Switch 2', 'switch'],
      ['Switch 3', 'fan'],
      ['Switch 4', 'socket']
    ])
  })

  it('uses the zone that it names, else that of its owner, else Kathmandu', async () => {
    const owner = await product.person()
    const zoneAfter = async (board: object): Promise<unknown> => {
      const { userId } = await product.claim(owner)
      const paired = (await authenticate({ ...deviceAuth(userId), ...board })).body.data as { deviceId: string }
      return (await product.call('GET', `/devices/${paired.deviceId}`, { as: owner })).body.data['timezone']
    }
    expect(await zoneAfter({})).toBe('Asia/Kathmandu')
    await product.call('PATCH', '/user/update-account', { as: owner, body: { timezone: 'Europe/Berlin' } })
    expect(await zoneAfter({})).toBe('Europe/Berlin')
    expect(await zoneAfter({ timezone: 'Mars/X' })).toBe('Europe/Berlin')
    expect(await zoneAfter({ timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo')
  })

  it('with a code that was used, is unknown, or belongs to another user is refused, always in the same words', async () => {
    const claim = await product.claim(sita)
    await authenticate(deviceAuth(claim.userId))
    const open = await product.claim(sita)
    for (const userId of [claim.userId, `${sita.id}.0000-0000-0000-0000`, `${neighbour.id}.${open.code}`, 'nobody']) {
      expect(await authenticate(deviceAuth(userId))).toMatchObject(refusal)
    }
  })

  it('without a code is refused unless its user has a pairing window open', async () => {
    const legacy = await product.person()
    expect(await authenticate(deviceAuth(legacy.id))).toMatchObject(refusal)
    const claim = await product.claim(legacy)
    expect(await authenticate(deviceAuth(legacy.id))).toMatchObject({ status: 201 })
    expect(await authenticate(deviceAuth(legacy.id))).toMatchObject(refusal)
    // The code is for the board that sends it, whatever other boards did without one.
    expect(await authenticate(deviceAuth(claim.userId))).toMatchObject({ status: 201 })
  })

  it('without a code is always refused where that is not allowed', () => {
    expect(readConfig({ ...product.settings, ALLOW_LEGACY_PAIRING: '' }).ALLOW_LEGACY_PAIRING).toBe(false)
  })

  it('again with an identical request within a minute gets the same answer: the first may have been lost', async () => {
    const claim = await product.claim(sita)
    const request = { ...deviceAuth(claim.userId), nonce: 'n-1' }
    const first = await authenticate(request)
    expect(first.status).toBe(201)
    expect(await authenticate(request)).toEqual(first)
    expect(await authenticate({ ...request, nonce: 'n-2' })).toMatchObject(refusal)
    const { deviceId } = first.body.data as unknown as { deviceId: string }
    await product.call('DELETE', `/devices/${deviceId}`, { as: sita })
    expect(await authenticate(request)).toMatchObject(refusal)
  })

  it('beyond the limit of an account is refused in any way, and the code stays valid', async () => {
    const [owner, other, admin] = [await product.person(), await product.person(), await product.person('admin')]
    const screen = await product.screen(owner)
    const added = () => ({ userId: owner.id, deviceCode: 'BT4', deviceMac: aMac() })
    const add = () => product.call('POST', '/devices', { as: admin, body: added() })
    const board = await product.pair(owner)
    for (let count = 1; count < 11; count += 1) expect((await add()).status).toBe(201)
    const spare = await product.pair(other)
    const full = { status: 409, body: { code: 'LIMIT_REACHED' } }

    const claims = await Promise.all([product.claim(owner), product.claim(owner), product.claim(owner)])
    const answers = await Promise.all(claims.map((claim) => authenticate(deviceAuth(claim.userId))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    await screen.next('claim-progress', ({ step, detail }: { step: string; detail?: string }) =>
      step === 'failed' ? detail?.includes('at most 12 boards') === true : false
    )
    const open = await product.claim(owner)
    expect(await authenticate(deviceAuth(open.userId))).toMatchObject(full)
    expect(await add()).toMatchObject(full)
    const moved = { as: admin, body: { userId: owner.id } }
    expect(await product.call('PATCH', `/devices/${spare.deviceId}`, moved)).toMatchObject(full)

    await product.call('DELETE', `/devices/${board.deviceId}`, { as: owner })
    expect(await authenticate(deviceAuth(open.userId))).toMatchObject({ status: 201 })
    const { body } = await product.call('GET', '/devices', { as: owner })
    expect(body.data).toMatchObject({ total: 12 })
  })

  it('that moves to another owner starts clean: names, favourites and room belonged to the old owner', async () => {
    const [ram, admin] = [await product.person(), await product.person('admin')]
    const { deviceId } = await product.pair(ram)
    const listOf = async (owner: Person) =>
      (await product.call('GET', '/switches', { as: owner })).body.data as unknown as {
        data: { _id: string; switchName: string; isFavorite: boolean }[]
      }
    const [first] = (await listOf(ram)).data
    await product.call('PATCH', `/switches/by-id/${first?._id}`, {
      as: ram,
      body: { switchName: 'Safe', isFavorite: true }
    })
    await product.call('PATCH', `/devices/${deviceId}`, { as: ram, body: { setName: 'Ram’s own' } })
    const hari = await product.person()
    await product.call('PATCH', `/devices/${deviceId}`, { as: admin, body: { userId: hari.id } })
    const { data } = await listOf(hari)
    expect(data.map(({ switchName, isFavorite }) => [switchName, isFavorite])).toEqual([
      ['Switch 1', false],
      ['Switch 2', false],
      ['Switch 3', false],
      ['Switch 4', false]
    ])
    const moved = (await product.call('GET', `/devices/${deviceId}`, { as: hari })).body.data as unknown as {
      setName: string
    }
    expect(moved.setName).toBe('')
  })

  it('of an unknown type is refused with the reason, and the code stays valid', async () => {
    const claim = await product.claim(sita)
    expect(await authenticate(deviceAuth(claim.userId, { deviceCode: 'XYZ' }))).toMatchObject({
      status: 400,
      body: { code: 'DEVICE_TYPE_UNKNOWN' }
    })
    expect(await authenticate(deviceAuth(claim.userId))).toMatchObject({ status: 201 })
  })

  it('with other outlets than it was added with is refused with the reason, and the code stays valid', async () => {
    const [owner, admin] = [await product.person(), await product.person('admin')]
    const mac = aMac()
    const added = await product.call('POST', '/devices', {
      as: admin,
      body: { userId: owner.id, deviceCode: 'BT1', deviceMac: mac }
    })
    const claim = await product.claim(owner)
    expect(await authenticate(deviceAuth(claim.userId, { mac }))).toMatchObject(refusal)
    expect((await product.call('GET', `/device-claims/${claim.id}`, { as: owner })).body.data).toEqual({
      id: claim.id,
      step: 'failed',
      detail:
        'This board is a BT4 / batti-wall-4, but was added here as BT1 / batti-single. Delete it here, then set it up again.'
    })
    await product.call('DELETE', `/devices/${String(added.body.data['_id'])}`, { as: owner })
    expect(await authenticate(deviceAuth(claim.userId, { mac }))).toMatchObject({ status: 201 })
    const { body } = await product.call('GET', '/devices', { as: owner })
    expect(body.data).toMatchObject({ devices: [{ deviceCode: 'BT4', switch: [false, false, false, false] }] })
  })

  it('uses its code once, however many boards send it at the same time', async () => {
    const { userId } = await product.claim(sita)
    const answers = await Promise.all(Array.from({ length: 5 }, () => authenticate(deviceAuth(userId))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })
})

describe('a board that has an owner', () => {
  it("is not taken over with a neighbour's valid code; the owner is told and keeps it", async () => {
    const board = await product.board(sita)
    const screen = await product.screen(sita)
    const theirs = await product.claim(neighbour)
    expect(await authenticate(deviceAuth(theirs.userId, { mac: board.mac }))).toMatchObject(refusal)
    expect(await authenticate(deviceAuth(theirs.userId, { mac: board.mac, deviceToken: 'guessed' }))).toMatchObject(
      refusal
    )
    await screen.next('notify-user')
    await until('the owner gets a mail', async () =>
      (await product.mailsTo(sita)).some(({ subject }) => subject === 'Somebody tried to set up your board')
    )
    expect(board.isConnected()).toBe(true)
    expect((await product.call('GET', `/devices/${board.credentials.deviceId}`, { as: sita })).status).toBe(200)
  })

  it('may ask again with its own token, and the old password becomes invalid when the new one is first used', async () => {
    const board = await product.board(sita)
    const old = board.credentials
    const again = await authenticate(deviceAuth(sita.id, { mac: board.mac, deviceToken: old.mqttPassword }))
    expect(again.status).toBe(201)
    board.stop()
    await board.ended
    const meanwhile = await product.connect(old, { announce: false })
    meanwhile.stop()
    await meanwhile.ended
    const renewed = await product.connect(again.body.data, { announce: false })
    expect(renewed.isConnected()).toBe(true)
    await expect(product.connect(old, { announce: false })).rejects.toMatchObject({ code: notAuthorized })
  })

  it("is set up again with its owner's code, and its pairing ends even if the loss of the old connection was never noticed", async () => {
    const board = await product.board(sita)
    // Two codes: it lost its power between the first answer and its first connection.
    const claims = [await product.claim(sita), await product.claim(sita)] as const
    await authenticate(deviceAuth(claims[0].userId, { mac: board.mac }))
    const answer = await authenticate(deviceAuth(claims[1].userId, { mac: board.mac }))
    expect(answer).toMatchObject({ status: 201, body: { data: { deviceId: board.credentials.deviceId } } })
    // Its plug was pulled: no message has ended the previous connection.
    await product.connect(answer.body.data)
    for (const { id } of claims) {
      await until(
        'the claim is online',
        async () => (await product.call('GET', `/device-claims/${id}`, { as: sita })).body.data['step'] === 'online'
      )
    }
  })

  it('is told nothing of its previous network and servers when it is set up again; a renewal changes nothing', async () => {
    const [owner, admin] = [await product.person(), await product.person('admin')]
    const board = await product.board(owner)
    const path = `/devices/${board.credentials.deviceId}`
    const wifi = { wifiSSID: 'Himal-2G', wifiPassword: 'momo momo' }
    const servers = { serverUrl: '10.0.0.6', serverPort: 8000, mqttPort: 8883 }
    await product.call('PATCH', path, { as: owner, body: { ...wifi, activeColor: 'violet' } })
    await product.call('PATCH', path, { as: admin, body: servers })
    board.report({ cause: 'config', configRev: 2 })
    const record = async () => (await product.call('GET', path, { as: owner })).body.data
    await until('the board has confirmed its configuration', async () => (await record())['configConfirmedRev'] === 2)

    const { mqttPassword: deviceToken } = board.credentials
    await authenticate(deviceAuth(owner.id, { mac: board.mac, deviceToken }))
    expect(await record()).toMatchObject({ ...wifi, ...servers })

    const { userId } = await product.claim(owner)
    const again = await authenticate(deviceAuth(userId, { mac: board.mac, deviceToken }))
    expect(await record()).toMatchObject({ wifiSSID: '', serverUrl: '', serverPort: null, mqttPort: null })
    expect(await record()).not.toHaveProperty('wifiPassword', wifi.wifiPassword)
    const back = await product.connect(again.body.data)
    back.report({ cause: 'resync', configRev: 0 })
    await until('the new board has confirmed nothing', async () => (await record())['configConfirmedRev'] === 0)
    back.say('status', { online: true, bootId: back.bootId, conn: 1 })
    await until('the board is sent its configuration', () => back.heard.some(({ name }) => name === 'config-update'))
    const received = back.heard.find(({ name }) => name === 'config-update')?.payload
    expect(received).toMatchObject({ rev: 2, activeColor: 'violet' })
    expect(received).not.toHaveProperty('wifi')
    expect(received).not.toHaveProperty('api')
    expect(received).not.toHaveProperty('mqtt.host')
  })

  it('that only renews its password does not use the code that its owner has open for another board', async () => {
    const owner = await product.person()
    const board = await product.board(owner)
    const claim = await product.claim(owner)
    const renewal = deviceAuth(owner.id, { mac: board.mac, deviceToken: board.credentials.mqttPassword })
    expect((await authenticate(renewal)).status).toBe(201)
    expect((await product.call('GET', `/device-claims/${claim.id}`, { as: owner })).body.data['step']).toBe('waiting')
    expect((await authenticate(deviceAuth(claim.userId))).status).toBe(201)
  })

  it('that renews its password moves its schedules to the zone that it names, and screens are updated', async () => {
    const owner = await product.person()
    const board = await product.board(owner)
    const { deviceId, mqttPassword } = board.credentials
    const [record] = (
      (await product.call('GET', '/switches', { as: owner })).body.data as unknown as { switches: { _id: string }[] }
    ).switches
    const times = { startTime: '18:00', startAction: 'on', endTime: '19:00', endAction: 'off', repeatType: 'daily' }
    const schedule = { deviceId, switchId: record?._id, switchIndex: 0, ...times }
    expect((await product.call('POST', '/schedules', { as: owner, body: schedule })).status).toBe(201)
    const screen = await product.screen(owner)
    await screen.send('join-user-device-room', board.mac)
    const settings = { timezone: 'Asia/Tokyo', activeColor: 'violet' }
    const renewal = { ...deviceAuth(owner.id, { mac: board.mac, deviceToken: mqttPassword }), ...settings }
    expect((await authenticate(renewal)).status).toBe(201)
    await screen.next('update-from-device', ({ update }: { update: object }) => 'timezone' in update)
    await until("the schedule follows the home's time zone", async () => {
      const { data } = (await product.call('GET', '/schedules', { as: owner })).body
      return (data as unknown as { schedules: { timezone: string }[] }).schedules[0]?.timezone === 'Asia/Tokyo'
    })
  })

  it('that is deleted is disconnected at once, and refused the next time', async () => {
    const board = await product.board(sita)
    const { deviceId } = board.credentials
    expect(await product.call('DELETE', `/devices/${deviceId}`, { as: sita })).toMatchObject({
      status: 200,
      body: { message: 'Device deleted' }
    })
    await board.ended
    await expect(product.connect(board.credentials)).rejects.toMatchObject({ code: notAuthorized })
    expect((await product.call('GET', `/devices/${deviceId}`, { as: sita })).status).toBe(404)
    await product.board(neighbour, { mac: board.mac })
  })
})

describe('settings', () => {
  it('of a board are sent to it, and confirmed by it', async () => {
    const board = await product.board(sita)
    const id = board.credentials.deviceId
    const answer = await product.call('PATCH', `/devices/${id}`, {
      as: sita,
      body: { setName: 'Kitchen', activeColor: 'violet', wifiSSID: 'Himal-2G', wifiPassword: 'momo momo' }
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Device updated', data: { setName: 'Kitchen', configRev: 1, configConfirmedRev: 0 } }
    })
    await until('the board is sent its configuration', () => board.heard.some(({ name }) => name === 'config-update'))
    const pushed = board.heard.find(({ name }) => name === 'config-update')?.payload
    expect(pushed).toEqual({ rev: 1, activeColor: 'violet', wifi: { ssid: 'Himal-2G', password: 'momo momo' } })
    board.report({ cause: 'config', configRev: 1 })
    await until(
      'the configuration counts as confirmed',
      async () => (await product.call('GET', `/devices/${id}`, { as: sita })).body.data['configConfirmedRev'] === 1
    )
  })

  it('that a board missed while it was offline are sent when it is back', async () => {
    const board = await product.board(sita)
    const id = board.credentials.deviceId
    board.stop()
    await board.ended
    await product.call('PATCH', `/devices/${id}`, { as: sita, body: { activeColor: 'red' } })
    const back = await product.connect(board.credentials)
    await until('the board is sent its configuration', () => back.heard.some(({ name }) => name === 'config-update'))
    expect(back.heard.find(({ name }) => name === 'config-update')?.payload).toMatchObject({
      rev: 1,
      activeColor: 'red'
    })
  })

  it('that do not concern the board are not sent', async () => {
    const board = await product.board(sita)
    const change = async (body: object) =>
      (await product.call('PATCH', `/devices/${board.credentials.deviceId}`, { as: sita, body })).body.data
    expect(await change({ setName: 'Hall' })).toMatchObject({ setName: 'Hall', configRev: 0 })
    // Messages arrive in order: nothing was sent before what comes first.
    expect(await change({ activeColor: 'violet' })).toMatchObject({ configRev: 1 })
    const heard = () => board.heard.filter(({ name }) => name === 'config-update').map(({ payload }) => payload)
    await until('the board is sent its configuration', () => heard().length > 0)
    expect(heard()[0]).toEqual({ rev: 1, activeColor: 'violet' })
  })
})
