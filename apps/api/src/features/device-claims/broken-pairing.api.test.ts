import { Types } from 'mongoose'
import { expect, test, vi } from 'vitest'
import { deviceAuth } from '../../testing/device-auth.ts'
import { startApi } from '../../testing/test-api.ts'

test('a code used while the database failed is valid only for the same board, a little later', async () => {
  const app = await startApi()
  try {
    const sita = app.person()
    const { userId } = (await app.call('POST', '/device-claims', sita, {})).data
    const pair = (mac: string) => app.http.post('/api/v1/device-auth').send(deviceAuth(userId, { mac }))
    const own = '34:98:7A:0C:51:E2'
    const { models } = app.connection
    for (const name of ['Device', 'DeviceClaim'] as const) {
      const model = models[name]
      if (model === undefined) throw new Error(name)
      for (const verb of ['create', 'updateOne'] as const)
        vi.spyOn(model, verb).mockImplementation(() => {
          throw new Error('the database went away')
        })
    }
    expect((await pair(own)).status).toBe(500)
    vi.restoreAllMocks()
    // The first attempt may still be in progress, in another process: a board that is refused would give up.
    const early = await pair(own)
    expect([early.status, early.body.code, early.get('Retry-After')]).toEqual([503, 'UNAVAILABLE', '5'])
    expect((await pair('34:98:7A:0C:51:E3')).status).toBe(403)
    app.clock.advance(15_000)
    expect((await pair('34:98:7A:0C:51:E3')).status).toBe(403)
    expect((await pair(own)).status).toBe(201)
    app.clock.advance(60_000)
    expect((await pair(own)).status).toBe(403)
    expect(await app.models.devices.countDocuments({ userId: sita.userId })).toBe(1)
  } finally {
    vi.restoreAllMocks()
    await app.stop()
  }
})

test.each([
  ['its password', 'credentialHash'],
  ['the step that the page shows', 'claimed']
])('a board whose pairing failed at %s is paired by its next attempt, with the same code', async (_what, words) => {
  const app = await startApi()
  try {
    const sita = app.person()
    const { userId } = (await app.call('POST', '/device-claims', sita, {})).data
    const pair = () => app.http.post('/api/v1/device-auth').send(deviceAuth(userId, { mac: '34:98:7A:0C:51:E2' }))
    for (const model of Object.values(app.connection.models)) {
      const write = model.findOneAndUpdate.bind(model)
      let isBroken = false
      vi.spyOn(model, 'findOneAndUpdate').mockImplementation((...args: Parameters<typeof write>) => {
        if (isBroken || !JSON.stringify(args).includes(words)) return write(...args)
        isBroken = true
        throw new Error('the database went away')
      })
    }
    expect((await pair()).status).toBe(500)
    expect((await pair()).status).toBe(201)
    expect(await app.models.devices.countDocuments({ userId: sita.userId })).toBe(1)
  } finally {
    vi.restoreAllMocks()
    await app.stop()
  }
})

test.each([
  ['renews its password', 'pendingHash', false],
  ['is set up again', 'serverPort', true],
  ['gets its password after that', 'pendingHash', true]
])(
  'a board that is given to somebody else while it %s gets no password for its new home',
  async (_what, words, isCoded) => {
    const app = await startApi()
    try {
      const [admin, sita, ram] = [app.person('admin'), app.person(), app.person()]
      const newCode = async (): Promise<string> => (await app.call('POST', '/device-claims', sita, {})).data.userId
      const mac = '34:98:7A:0C:51:E2'
      const ask = (userId: string, deviceToken?: string) =>
        app.http.post('/api/v1/device-auth').send(deviceAuth(userId, { mac, ...(deviceToken && { deviceToken }) }))
      const { deviceId, mqttPassword } = (await ask(await newCode()).expect(201)).body.data
      const userId = isCoded ? await newCode() : sita.userId
      const { devices } = app.models
      const write = devices.findOneAndUpdate.bind(devices)
      const stop = vi.spyOn(devices, 'findOneAndUpdate').mockImplementation(((...args: Parameters<typeof write>) => {
        if (!JSON.stringify(args).includes(words)) return write(...args)
        stop.mockRestore()
        const moved = app.call('PATCH', `/devices/${deviceId}`, admin, { userId: ram.userId })
        return { lean: () => moved.then(() => write(...args).lean()) }
      }) as typeof write)
      await ask(userId, isCoded ? undefined : mqttPassword).expect(403)
      expect(await devices.findById(deviceId).lean()).toMatchObject({
        userId: new Types.ObjectId(ram.userId),
        credentialHash: null,
        pendingHash: null
      })
    } finally {
      vi.restoreAllMocks()
      await app.stop()
    }
  }
)
