import supertest from 'supertest'
import { expect, test } from 'vitest'
import { hashDevicePassword } from '../../boards/device-credentials.ts'
import { deviceAuth } from '../../testing/device-auth.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

const own = '34:98:7A:0C:51:E2'

test('a board whose answer got lost is answered again by an api that has restarted, for a minute', async () => {
  const app = await startApi({ isShared: true })
  try {
    const sita = app.person()
    const { id, userId } = (await app.call('POST', '/device-claims', sita, {})).data
    const pair = (server: TestApi['server'], board: object) =>
      supertest(server)
        .post('/api/v1/device-auth')
        .send({ ...deviceAuth(userId, { mac: own }), ...board })
    const first = await pair(app.server, {})
    expect(first.status).toBe(201)
    const { server } = await app.another()

    const again = await pair(server, {})
    expect(again.status).toBe(201)
    const { deviceId, mqttPassword } = again.body.data
    expect(deviceId).toBe(first.body.data.deviceId)
    const stored = await app.models.devices.findById(deviceId).lean()
    expect(stored?.pendingHash).toBe(hashDevicePassword(mqttPassword))
    // The first answer may have arrived after all.
    expect(stored?.credentialHash).toBe(hashDevicePassword(first.body.data.mqttPassword))
    expect((await app.call('GET', `/device-claims/${id}`, sita)).data).toMatchObject({ step: 'claimed' })

    for (const other of [{ nonce: 'another' }, { deviceMac: '34:98:7A:0C:51:E3' }, { userId: sita.userId }])
      expect((await pair(server, other)).status).toBe(403)
    app.clock.advance(60_000)
    expect((await pair(server, {})).status).toBe(403)
  } finally {
    await app.stop()
  }
})

test('a board without a code, whose answer got lost, is answered again by another api', async () => {
  const app = await startApi({ isShared: true, env: { ALLOW_LEGACY_PAIRING: '1' } })
  try {
    const sita = app.person()
    await app.call('POST', '/device-claims', sita, {})
    const request = deviceAuth(sita.userId, { mac: own })
    expect((await app.http.post('/api/v1/device-auth').send(request)).status).toBe(201)
    // The window for another board stays open.
    const open = (await app.call('POST', '/device-claims', sita, {})).data
    const { server } = await app.another()
    expect((await supertest(server).post('/api/v1/device-auth').send(request)).status).toBe(201)
    expect((await app.call('GET', `/device-claims/${open.id}`, sita)).data).toMatchObject({ step: 'waiting' })
  } finally {
    await app.stop()
  }
})

test('a board that was deleted after its answer got lost is not answered again by another api', async () => {
  const app = await startApi({ isShared: true })
  try {
    const sita = app.person()
    const { userId } = (await app.call('POST', '/device-claims', sita, {})).data
    const request = deviceAuth(userId, { mac: own })
    const { body } = await app.http.post('/api/v1/device-auth').send(request)
    expect((await app.call('DELETE', `/devices/${body.data.deviceId}`, sita)).statusCode).toBe(200)
    const { server } = await app.another()
    expect((await supertest(server).post('/api/v1/device-auth').send(request)).status).toBe(403)
  } finally {
    await app.stop()
  }
})
