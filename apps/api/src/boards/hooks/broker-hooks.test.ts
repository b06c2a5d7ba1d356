import { mqttRefusedPath, quarantineReason } from '@batti/contracts'
import { pino } from 'pino'
import request from 'supertest'
import { expect, it } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { createEventBus } from '../../platform/events.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { aLiveDevice } from '../../testing/live-device.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { createBrokerHooks } from './broker-hooks.ts'

const deviceId = '64f0000000000000000000aa'
const log = pino({ level: 'silent' })

/** The hooks of an api with one board; returns what they report to the other parts. */
function setUp(userId: string | null) {
  const config = readConfig({ ...testSecrets(), MONGODB_URI: 'mongodb://127.0.0.1/batti' })
  const events = createEventBus(log)
  const heard: object[] = []
  events.on('refused', (refusal) => void heard.push(refusal))
  events.on('board-in-quarantine', (board) => void heard.push(board))
  const board = aLiveDevice({ id: deviceId, userId, setName: 'Hall' })
  const hooks = createBrokerHooks({
    config,
    events,
    log,
    metrics: createMetrics(),
    readOutbox: undefined,
    models: {} as never,
    registry: { find: (id) => Promise.resolve(id === deviceId ? board : null) }
  })
  const refuse = (clientid: string, reason: string) =>
    request(hooks)
      .post(mqttRefusedPath)
      .set('authorization', `Bearer ${config.INTERNAL_SECRET}`)
      .send({ clientid, username: null, peerhost: '10.0.0.9', topic: '#', reason, attempts: 1 })
      .expect(204)
  return { heard, refuse }
}
const counted = { ip: '10.0.0.9', method: 'MQTT', url: '#' }

it('counts what a broker has refused', async () => {
  const { heard, refuse } = setUp('sita')
  await refuse('a'.repeat(100), 'topic')
  expect(heard).toEqual([{ ...counted, userAgent: 'a'.repeat(64) }])
})

it('notifies the owner of a board whose credentials are used twice, and nobody if there is no owner or no board', async () => {
  const { heard, refuse } = setUp('sita')
  await refuse(`dev-${deviceId}`, quarantineReason)
  await refuse('dev-64f0000000000000000000bb', quarantineReason)
  await refuse('somebody', quarantineReason)
  expect(heard.filter((each) => 'boardName' in each)).toEqual([{ userId: 'sita', boardName: 'Hall' }])
  const nobodys = setUp(null)
  await nobodys.refuse(`dev-${deviceId}`, quarantineReason)
  expect(nobodys.heard).toEqual([{ ...counted, userAgent: `dev-${deviceId}` }])
})
