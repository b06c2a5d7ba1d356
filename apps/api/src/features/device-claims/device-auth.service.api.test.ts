import type { DeviceAuthRequest } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types, type Connection, type Model } from 'mongoose'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import type { BoardAccess, ClaimableBoard, ClaimableBoards } from '../../boards/claimable-boards.ts'
import { hashDevicePassword } from '../../boards/device-credentials.ts'
import { createEventBus } from '../../platform/events.ts'
import type { Actor } from '../../platform/people/actor.ts'
import { createDeviceAuthService } from './device-auth.service.ts'
import { createDeviceClaimModel, type DeviceClaimDocument } from './device-claim.model.ts'
import { createDeviceClaimsRepository } from './device-claims.repository.ts'
import { createDeviceClaimsService } from './device-claims.service.ts'

let connection: Connection
let model: Model<DeviceClaimDocument>
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  model = createDeviceClaimModel(connection)
  await model.createIndexes()
  return database.close
})

const newId = () => String(new Types.ObjectId())
const refused = { code: 'DEVICE_REFUSED' }
const mac = 'AABBCCDDEEFF'

/** The service with real pairing codes, in front of boards in memory. */
function setUp({ allowLegacyPairing = false } = {}) {
  const clock = createFakeClock(Date.parse('2026-03-02T12:00:00Z'))
  const log = pino({ enabled: false })
  const events = createEventBus(log)
  const heard: unknown[] = []
  const texts: string[] = []
  events.on('user-notified', ({ userId, text }) => {
    heard.push(['banner', userId])
    texts.push(text)
  })
  events.on('board-coveted', ({ userId, boardName }) => {
    heard.push(['mail', userId])
    texts.push(boardName)
  })
  events.on('device-claimed', ({ userId }) => void heard.push(['claimed', userId]))
  events.on('device-edited', ({ deviceId, deviceMac, update }) => void heard.push([deviceId, deviceMac, update]))
  const boards = new Map<string, ClaimableBoard>()
  const did: unknown[] = []
  const fails = { isQuicker: false, isDeletingType: false, access: false }
  const types = new Map<string, ClaimableBoard['kinds']>([
    ['BT4', ['switch', 'fan']],
    ['BT2', ['switch']]
  ])
  const put = (changes: Partial<ClaimableBoard> = {}): ClaimableBoard => {
    const board: ClaimableBoard = {
      id: newId(),
      deviceMac: mac,
      name: 'Kitchen',
      deviceCode: 'BT4',
      hwModel: 'wall',
      kinds: ['switch', 'fan'],
      userId: null,
      credentialHash: null,
      pendingHash: null,
      ...changes
    }
    boards.set(board.id, board)
    return board
  }
  const there: ClaimableBoards = {
    findByMac: async (deviceMac) => [...boards.values()].find((board) => board.deviceMac === deviceMac) ?? null,
    kindsOfType: async (deviceCode) => types.get(deviceCode) ?? null,
    async setUpAgain(id, userId) {
      if (boards.get(id)?.userId !== userId) return false
      did.push(['set up again', id])
      return true
    },
    async create(board, userId) {
      if (fails.isDeletingType) types.delete(board.deviceCode)
      return fails.isQuicker || !types.has(board.deviceCode) ? null : put({ ...board, userId })
    },
    async claim(id, userId) {
      const board = boards.get(id)
      if (fails.isQuicker || board === undefined || board.userId !== null) return null
      boards.set(id, { ...board, userId })
      return boards.get(id) ?? null
    },
    async setAccess({ id, userId }, access: BoardAccess) {
      if (fails.access) throw new Error('no database')
      if (boards.get(id)?.userId !== userId) return false
      did.push(['access', id, access])
      return true
    }
  }
  const claims = createDeviceClaimsRepository(model)
  const progress = createDeviceClaimsService({ claims, clock, events, claimsPerMinute: 0, isAlone: true })
  const authenticate = createDeviceAuthService({
    claims,
    progress,
    clock,
    events,
    log,
    allowLegacyPairing,
    refusalsPerMinute: 0,
    mqtt: { host: undefined, port: 8883, caPem: 'a CA' },
    boards: there
  })
  const ask = (userId: string, changes: Partial<DeviceAuthRequest> = {}) =>
    authenticate(
      {
        userId,
        deviceMac: mac,
        deviceCode: 'BT4',
        hwModel: 'wall',
        osVersion: '1.4.2',
        nonce: 'n',
        ...changes
      } as DeviceAuthRequest,
      { ip: '192.0.2.1', host: 'batti.local' }
    )
  const codeOf = (userId: string) => progress.create({ userId } as Actor)
  const stepOf = async (userId: string, { id }: { id: string }) => progress.get({ userId } as Actor, id)
  return { clock, boards, put, did, heard, texts, fails, ask, codeOf, stepOf }
}

describe('a board that nobody has', () => {
  it('goes to the person whose code it brings, who is told, and the code is spent', async () => {
    const { ask, boards, codeOf, heard, stepOf } = setUp()
    const sita = newId()
    const claim = await codeOf(sita)
    const { deviceId } = await ask(claim.userId)
    expect(boards.get(deviceId)).toMatchObject({ userId: sita, deviceMac: mac })
    expect(heard).toEqual([['claimed', sita]])
    expect(await stepOf(sita, claim)).toEqual({ id: claim.id, step: 'claimed', deviceId })
    await expect(ask(claim.userId, { deviceMac: 'AABBCCDDEE00' })).rejects.toMatchObject(refused)
  })

  it('is paired with the code it brings, whatever token it kept of an earlier owner', async () => {
    const { ask, codeOf, put } = setUp()
    const sita = newId()
    const board = put({ credentialHash: hashDevicePassword('of before') })
    const { deviceId } = await ask((await codeOf(sita)).userId, { deviceToken: 'of before' })
    expect(deviceId).toBe(board.id)
    const other = await ask((await codeOf(sita)).userId, { deviceMac: 'AABBCCDDEE00', deviceToken: 'of before' })
    expect(other.deviceId).not.toBe(board.id)
  })

  it('may use its code again a quarter of a minute after an attempt that broke off, and no other board may', async () => {
    const { ask, clock, codeOf } = setUp()
    const sita = newId()
    const claim = await codeOf(sita)
    await model.updateOne({ _id: claim.id }, { $set: { usedAt: new Date(clock.now()), usedBy: mac, step: 'reached' } })
    clock.advance(14_999)
    await expect(ask(claim.userId)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterS: 5 })
    await expect(ask(claim.userId, { deviceMac: 'AABBCCDDEE00' })).rejects.toMatchObject(refused)
    clock.advance(1)
    await expect(ask(claim.userId, { deviceMac: 'AABBCCDDEE00' })).rejects.toMatchObject(refused)
    await ask(claim.userId)
    clock.advance(15_000)
    await expect(ask(claim.userId, { nonce: 'another' })).rejects.toMatchObject(refused)
  })

  it('is refused without a code, whatever window is open and whatever token it has, where that is not allowed', async () => {
    const { ask, boards, codeOf, put } = setUp()
    const sita = newId()
    await codeOf(sita)
    await expect(ask(sita)).rejects.toMatchObject(refused)
    put({ credentialHash: hashDevicePassword('its own') })
    await expect(ask(sita, { deviceToken: 'its own' })).rejects.toMatchObject(refused)
    expect([...boards.values()].map(({ userId }) => userId)).toEqual([null])
  })

  it('uses an open window once where that is allowed, and leaves the code', async () => {
    const { ask, codeOf } = setUp({ allowLegacyPairing: true })
    const sita = newId()
    await expect(ask(sita)).rejects.toMatchObject(refused)
    const claim = await codeOf(sita)
    await ask(sita)
    await expect(ask(sita, { deviceMac: 'AABBCCDDEE00' })).rejects.toMatchObject(refused)
    expect(await ask(claim.userId, { deviceMac: 'AABBCCDDEE01' })).toMatchObject({ mqttHost: 'batti.local' })
  })

  it('is refused with a code of somebody else, an unknown one, or one of ten minutes ago', async () => {
    const { ask, clock, codeOf } = setUp({ allowLegacyPairing: true })
    const [sita, hari] = [newId(), newId()]
    const claim = await codeOf(sita)
    for (const userId of [`${hari}.${claim.code}`, `${sita}.0000-0000-0000-0000`, 'nobody'])
      await expect(ask(userId)).rejects.toMatchObject(refused)
    clock.advance(10 * 60_000)
    for (const userId of [claim.userId, sita]) await expect(ask(userId)).rejects.toMatchObject(refused)
  })

  it('stays free, and the code usable, where somebody else was quicker or the answer failed', async () => {
    const { ask, codeOf, fails, put, stepOf } = setUp()
    const sita = newId()
    const claim = await codeOf(sita)
    const board = put()
    fails.isQuicker = true
    await expect(ask(claim.userId)).rejects.toMatchObject(refused)
    expect(await stepOf(sita, claim)).toMatchObject({ step: 'failed', detail: expect.stringContaining('was refused') })
    fails.isQuicker = false
    fails.access = true
    await expect(ask(claim.userId)).rejects.toThrow('no database')
    fails.access = false
    expect(await ask(claim.userId)).toMatchObject({ deviceId: board.id })
  })

  it('whose type is deleted meanwhile is told so, and the code stays usable', async () => {
    const { ask, codeOf, fails, stepOf } = setUp()
    const sita = newId()
    const claim = await codeOf(sita)
    fails.isDeletingType = true
    await expect(ask(claim.userId)).rejects.toMatchObject({ code: 'DEVICE_TYPE_UNKNOWN' })
    expect(await stepOf(sita, claim)).toMatchObject({ step: 'failed', detail: expect.stringContaining('BT4 / wall') })
    fails.isDeletingType = false
    expect(await ask(claim.userId, { deviceCode: 'BT2' })).toMatchObject({ mqttPort: 8883 })
  })

  it('of an unknown type, or of another than it was added as, is refused with its reason, and the code stays usable', async () => {
    const { ask, codeOf, put, stepOf } = setUp()
    const sita = newId()
    const claim = await codeOf(sita)
    await expect(ask(claim.userId, { deviceCode: 'XX' })).rejects.toMatchObject({
      code: 'DEVICE_TYPE_UNKNOWN',
      errors: [{ path: 'deviceCode', message: expect.stringContaining('XX / wall') }]
    })
    expect(await stepOf(sita, claim)).toMatchObject({ step: 'failed', detail: expect.stringContaining('XX / wall') })
    const board = put()
    await expect(ask(claim.userId, { deviceCode: 'BT2' })).rejects.toMatchObject(refused)
    expect(await stepOf(sita, claim)).toMatchObject({ detail: expect.stringContaining('added here as BT4 / wall') })
    expect(await ask(claim.userId)).toMatchObject({ deviceId: board.id })
  })
})

describe('a board that has an owner', () => {
  const token = 'its own password'
  const owned = (userId: string) => ({ userId, credentialHash: hashDevicePassword(token) })

  it.each([{}, { deviceToken: 'guessed' }, { deviceToken: token }])(
    'stays theirs when a neighbour brings a good code, with %j: the owner is told, and the neighbour why',
    async (changes) => {
      const { ask, boards, codeOf, did, heard, put, stepOf } = setUp({ allowLegacyPairing: true })
      const [sita, neighbour] = [newId(), newId()]
      const board = put(owned(sita))
      const claim = await codeOf(neighbour)
      await expect(ask(claim.userId, changes)).rejects.toMatchObject(refused)
      expect([boards.get(board.id), did]).toEqual([board, []])
      expect(heard).toEqual([
        ['banner', sita],
        ['mail', sita]
      ])
      expect(await stepOf(neighbour, claim)).toMatchObject({
        step: 'failed',
        detail: expect.stringContaining('belongs to another account')
      })
      expect(await ask(claim.userId, { deviceMac: 'AABBCCDDEE00' })).toMatchObject({ mqttPort: 8883 })
    }
  )

  it('fails no pairing of who brings no code', async () => {
    const { ask, codeOf, put, stepOf } = setUp({ allowLegacyPairing: true })
    const neighbour = newId()
    put(owned(newId()))
    const claim = await codeOf(neighbour)
    await expect(ask(neighbour)).rejects.toMatchObject(refused)
    expect(await stepOf(neighbour, claim)).toMatchObject({ step: 'waiting' })
  })

  it('tells its owner once in ten minutes, and by mail once in an hour', async () => {
    const { ask, clock, heard, put } = setUp()
    put(owned(newId()))
    const kinds = async (afterMs: number) => {
      clock.advance(afterMs)
      heard.length = 0
      await expect(ask(newId())).rejects.toMatchObject(refused)
      return heard.map((each) => (each as string[])[0])
    }
    expect(await kinds(0)).toEqual(['banner', 'mail'])
    expect(await kinds(599_999)).toEqual([])
    expect(await kinds(1)).toEqual(['banner'])
    expect(await kinds(3_600_000 - 600_000)).toEqual(['banner', 'mail'])
  })

  it('tells each owner of their own board, by its name', async () => {
    const { ask, heard, put, texts } = setUp()
    const [sita, hari] = [newId(), newId()]
    put(owned(sita))
    put({ ...owned(hari), deviceMac: 'AABBCCDDEE00', name: 'Gate' })
    await expect(ask(newId())).rejects.toMatchObject(refused)
    await expect(ask(newId(), { deviceMac: 'AABBCCDDEE00' })).rejects.toMatchObject(refused)
    expect(heard).toEqual([
      ['banner', sita],
      ['mail', sita],
      ['banner', hari],
      ['mail', hari]
    ])
    expect(texts).toEqual(['Kitchen', 'Gate'].flatMap((name) => [expect.stringContaining(`your board ${name} `), name]))
  })

  it('is not set up again by who only knows its owner, even with a window open', async () => {
    const { ask, boards, codeOf, did, heard, put } = setUp({ allowLegacyPairing: true })
    const sita = newId()
    const board = put(owned(sita))
    await expect(ask(`${sita}.0000-0000-0000-0000`)).rejects.toMatchObject(refused)
    expect(heard).toEqual([
      ['banner', sita],
      ['mail', sita]
    ])
    await codeOf(sita)
    for (const changes of [{}, { deviceToken: 'guessed' }])
      await expect(ask(sita, changes)).rejects.toMatchObject(refused)
    expect([boards.get(board.id), did]).toEqual([board, []])
  })

  it.each(['credentialHash', 'pendingHash'] as const)(
    'renews its password with the one of its %s, and leaves the window of its owner to another board',
    async (kept) => {
      const { ask, codeOf, did, heard, put } = setUp({ allowLegacyPairing: true })
      const sita = newId()
      const board = put({
        userId: sita,
        credentialHash: hashDevicePassword('another'),
        [kept]: hashDevicePassword(token)
      })
      await codeOf(sita)
      const { mqttPassword } = await ask(sita, { deviceToken: token, activeColor: '#00ff00' })
      const pendingHash = hashDevicePassword(mqttPassword)
      expect(did).toEqual([['access', board.id, { pendingHash, osVersion: '1.4.2', activeColor: '#00ff00' }]])
      expect(heard).toEqual([[board.id, mac, { activeColor: '#00ff00' }]])
      await ask(sita, { deviceToken: token })
      expect(heard).toHaveLength(1)
      expect(await ask(sita, { deviceMac: 'AABBCCDDEE00' })).toMatchObject({ mqttPort: 8883 })
      await expect(ask(newId(), { deviceToken: token })).rejects.toMatchObject(refused)
    }
  )

  it.each([{}, { deviceToken: token }])('is set up again by a code of its owner, with %j', async (changes) => {
    const { ask, codeOf, did, put } = setUp()
    const sita = newId()
    const board = put(owned(sita))
    const claim = await codeOf(sita)
    expect(await ask(claim.userId, changes)).toMatchObject({ deviceId: board.id })
    expect(did[0]).toEqual(['set up again', board.id])
    await expect(ask(claim.userId, { deviceMac: 'AABBCCDDEE00' })).rejects.toMatchObject(refused)
  })
})
