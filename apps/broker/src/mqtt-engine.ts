import { Aedes } from 'aedes'
import type { EventEmitter } from 'node:events'
import { writeToStream } from 'mqtt-packet'
import type { Logger } from 'pino'
import type { createConnectStep } from './connect.ts'
import { sessionOf, type createMqttRules } from './mqtt-rules.ts'
import { createNoPersistence } from './no-persistence.ts'
import type { createSessions } from './sessions.ts'

// Else the first packet makes a buffer for each number of two bytes, some 8 MiB, to save making one.
writeToStream.cacheNumbers = false

export interface MqttEngineParts {
  connectStep: ReturnType<typeof createConnectStep>
  rules: ReturnType<typeof createMqttRules>
  sessions: ReturnType<typeof createSessions>
  limits: { pendingTimeMs: number; drainTimeoutMs: number }
  log: Logger
}

/** aedes with our rules: who may connect, publish and subscribe, and who is there. It stores nothing. */
export async function createMqttEngine(parts: MqttEngineParts): Promise<Aedes> {
  const { connectStep, rules, sessions, limits, log } = parts
  const aedes = new Aedes({
    persistence: createNoPersistence(),
    // 0 = no limit: with one, messages to a few frozen readers take all turns, and everybody waits.
    concurrency: 0,
    connectTimeout: limits.pendingTimeMs,
    drainTimeout: limits.drainTimeoutMs,
    maxInflightInbound: 100,
    preConnect: connectStep,
    authenticate: (client, _username, _password, done) => done(null, sessionOf(client) !== null),
    authorizePublish: rules.authorizePublish,
    authorizeSubscribe: rules.authorizeSubscribe,
    authorizeForward: rules.authorizeForward
  })
  aedes.on('client', (client) => {
    const session = sessionOf(client)
    if (session !== null) sessions.add(session)
  })
  aedes.on('clientDisconnect', (client) => {
    const session = sessionOf(client)
    if (session !== null) sessions.remove(session)
  })
  aedes.on('subscribe', rules.closeDenied)
  // Boards come and go: the end of a connection is an event of theirs, not an error of ours.
  aedes.on('clientError', (client, error) =>
    log.debug({ clientId: client.id, reason: error.message }, 'connection ended')
  )
  aedes.on('connectionError', (_client, error) => log.debug({ reason: error.message }, 'connection refused'))
  // aedes' own types leave `error` out; without a listener it would end the process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ err: error }, 'aedes'))
  await aedes.listen()
  return aedes
}
