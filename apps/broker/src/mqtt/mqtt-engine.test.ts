import { generate } from 'mqtt-packet'
import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { connectPacket } from '../../test/raw-client.ts'
import { boardRules, newDeviceId } from '../../test/rig.ts'
import { createRefusals } from '../hook/refusals.ts'
import { createTally } from '../metrics.ts'
import { BoardStream } from './board-stream.ts'
import { createConnectStep } from './connect.ts'
import { createFailureBackoff } from './failure-backoff.ts'
import { createMqttEngine } from './mqtt-engine.ts'
import { createMqttRules } from './mqtt-rules.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTakeovers } from './takeovers.ts'

it.each<[string, (sessions: Sessions, clientId: string) => void]>([
  ['its credential is revoked', (sessions, clientId) => sessions.revoke(clientId)],
  ['the broker stops', (sessions) => sessions.endAll()]
])('ends a connection whose password was checked, if %s before it is registered', async (_why, end) => {
  const id = newDeviceId()
  const clientId = `dev-${id}`
  const now = () => 0
  const tally = createTally()
  const sessions = createSessions({ now })
  const refusals = createRefusals({ post: async () => {}, tally, gatherMs: 10, maxWaiting: 10 })
  const origins = new WeakMap()
  const step = createConnectStep({
    authenticate: async () => ({ result: 'allow', rules: boardRules(id), expiresAt: null }),
    backoff: createFailureBackoff({ now }),
    refusals,
    sessions,
    takeovers: createTakeovers({ free: 5, now }),
    tally,
    origins,
    now
  })
  const engine = await createMqttEngine({
    connectStep: (client, packet, done) =>
      step(client, packet, (error, isLetIn) => {
        done(error, isLetIn)
        end(sessions, clientId)
      }),
    rules: createMqttRules({ refusals, tally, stopping: () => false }),
    sessions,
    limits: { pendingTimeMs: 30_000, drainTimeoutMs: 30_000 },
    log: pino({ level: 'silent' })
  })
  const [far, near] = duplexPair()
  const stream = new BoardStream(near, {
    maxPacketBytes: 1000,
    drainTimeoutMs: 30_000,
    maxBacklogBytes: 1000,
    budget: null,
    onPackets: () => {}
  })
  const pending = { spoke: () => {}, silentAgain: () => {}, leave: () => {} }
  origins.set(stream, { peerhost: '192.0.2.1', pending })
  engine.handle(stream)
  far.resume()
  far.write(generate(connectPacket({ clientId })))
  const ended = await Promise.race([
    once(stream, 'close').then(() => 'closed'),
    once(engine, 'clientReady').then(() => 'let in')
  ])
  expect([ended, sessions.count()]).toEqual(['closed', 0])
  await new Promise<void>((resolve) => engine.close(resolve))
})
