import { Query } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../actor.ts'
import { startHomeApp, type AddedDevice, type HomeApp } from '../testing/home-app.ts'

let app: HomeApp
let sita: Actor
let device: AddedDevice
let roomId: string
/** What every list asked the database, as the database would carry it out. */
const plans: { collection: string; filter: unknown; stages: string[] }[] = []

interface PlanStage {
  stage?: string
  inputStage?: PlanStage
  inputStages?: PlanStage[]
}
const stagesOf = ({ stage, inputStage, inputStages = [] }: PlanStage): string[] => [
  ...(stage === undefined ? [] : [stage]),
  ...[...(inputStage === undefined ? [] : [inputStage]), ...inputStages].flatMap(stagesOf)
]

beforeAll(async () => {
  app = await startHomeApp()
  sita = app.person()
  roomId = (await app.call('POST', '/rooms', sita, { roomName: 'Kitchen' })).data._id
  device = await app.device(sita, { roomId })
  await app.call('POST', '/schedules', sita, {
    deviceId: device.id,
    switchId: device.switchIds[0],
    switchIndex: 0,
    startTime: '18:00',
    endTime: '22:00',
    startAction: 'on',
    endAction: 'off'
  })
})
afterAll(() => app.stop())

/** Runs `call` and explains every query that mongoose sent for it. */
async function explained(call: () => Promise<unknown>): Promise<typeof plans> {
  const sent: { collection: string; filter: Record<string, unknown>; sort: unknown }[] = []
  const original = Query.prototype.exec
  Query.prototype.exec = function exec(this: Query<unknown, unknown>, ...args: []) {
    sent.push({
      collection: this.model.collection.collectionName,
      filter: this.getFilter(),
      sort: this.getOptions().sort
    })
    return original.apply(this, args)
  } as typeof original
  try {
    await call()
  } finally {
    Query.prototype.exec = original
  }
  return Promise.all(
    sent.map(async ({ collection, filter, sort }) => {
      const model = Object.values(app.connection.models).find((each) => each.collection.collectionName === collection)
      const query = model?.find(filter).sort(sort as never)
      const plan = (await query?.explain('queryPlanner')) as unknown as { queryPlanner: { winningPlan: PlanStage } }
      return { collection, filter, stages: stagesOf(plan.queryPlanner.winningPlan) }
    })
  )
}

test.each([
  ['home', () => '/home'],
  ['dashboard', () => '/dashboard'],
  ['devices', () => '/devices'],
  ['devices of a room', () => `/devices/by-room/${roomId}`],
  ['devices found by name', () => '/devices?search=board'],
  ['rooms', () => '/rooms'],
  ['switches', () => '/switches'],
  ['switches found by name', () => '/switches?search=switch'],
  ['favourites', () => '/favorite-switches'],
  ['schedules', () => '/schedules'],
  ['schedules found by name', () => '/schedules?search=unnamed'],
  ['action log', () => '/switch-action-logs'],
  ['action log of a switch', () => `/switch-action-logs?switchId=${device.switchIds[0]}`],
  ['action log since', () => '/switch-action-logs?since=2026-01-01T00:00:00Z&from=web'],
  ['action log found by words', () => '/switch-action-logs?search=turned'],
  ['on-times', () => '/switch-on-times?days=7']
])('%s are found by an index, never by a scan', async (_what, path) => {
  const found = await explained(async () => {
    expect((await app.call('GET', path(), sita)).statusCode).toBe(200)
  })
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter(({ stages }) => stages.includes('COLLSCAN') || stages.length === 0)).toEqual([])
})

test('the test itself would see a scan', async () => {
  const found = await explained(() => app.models.devices.find({ deviceName: 'Board 1' }).exec())
  expect(found[0]?.stages).toContain('COLLSCAN')
})

test('what is due, and what was left behind, are found by an index', async () => {
  app.clock.advance(86_400_000)
  app.broker.heartbeat()
  const found = await explained(() => app.home.runSchedules())
  expect(new Set(found.map(({ collection }) => collection))).toContain('scheduleOccurrences')
  expect(found.filter(({ stages }) => stages.includes('COLLSCAN'))).toEqual([])
})
