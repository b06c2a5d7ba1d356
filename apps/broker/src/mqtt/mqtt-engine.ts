import { Aedes } from 'aedes'
import type { EventEmitter } from 'node:events'
import { writeToStream } from 'mqtt-packet'
import type { Logger } from 'pino'
import type { createConnectStep } from './connect.ts'
import { sessionOf, type createMqttRules } from './mqtt-rules.ts'
import { createNoPersistence } from './no-persistence.ts'
import type { createSessions } from './sessions.ts'

// Otherwise mqtt-packet caches a buffer for each 16-bit number at the first packet, about 8 MiB.
writeToStream.cacheNumbers = false

export interface MqttEngineParts {
  connectStep: ReturnType<typeof createConnectStep>
  rules: ReturnType<typeof createMqttRules>
  sessions: ReturnType<typeof createSessions>
  limits: { pendingTimeMs: number; drainTimeoutMs: number }
  log: Logger
}

/** Creates aedes with our rules for connect, publish and subscribe, and our list of sessions. It stores nothing. */
export async function createMqttEngine(parts: MqttEngineParts): Promise<Aedes> {
  const { connectStep, rules, sessions, limits, log } = parts
  const aedes = new Aedes({
    persistence: createNoPersistence(),
    // 0 = no limit. With a limit, deliveries to a few frozen readers would occupy all slots and block everybody.
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
  aedes.on('unsubscribe', rules.unsubscribed)
  // Boards disconnect all the time: that is no error of the broker.
  aedes.on('clientError', (client, error) =>
    log.debug({ clientId: client.id, reason: error.message }, 'connection ended')
  )
  aedes.on('connectionError', (_client, error) => log.debug({ reason: error.message }, 'connection refused'))
  // aedes' types lack the `error` event. Without a listener it would end the process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ err: error }, 'aedes'))
  await aedes.listen()
  return aedes
}
