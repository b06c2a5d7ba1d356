import { mqttPacketMaxBytes, mqttRefusedPath } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { close, listen } from '@batti/kit/node/listen'
import { createTokenBucket } from '@batti/kit/token-bucket'
import { Aedes } from 'aedes'
import { X509Certificate } from 'node:crypto'
import { writeToStream } from 'mqtt-packet'
import type { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { createAuthHook } from './auth-hook.ts'
import { createAuthenticator } from './authenticate.ts'
import { BoardStream } from './board-stream.ts'
import type { Config } from './config.ts'
import { createConnectStep, type Origin } from './connect.ts'
import { createConnectionLimits } from './connection-limits.ts'
import { createFailureBackoff } from './failure-backoff.ts'
import { createHookClient } from './hook-client.ts'
import { joinInside, type InsideClient } from './inside.ts'
import { createLoopGauge } from './loop-gauge.ts'
import { createManagementApi } from './management-api.ts'
import { createMetrics, createTally } from './metrics.ts'
import { createMqttRules, sessionOf } from './mqtt-rules.ts'
import { createNoPersistence } from './no-persistence.ts'
import { createRefusals } from './refusals.ts'
import { createSessions } from './sessions.ts'
import { createTakeovers } from './takeovers.ts'
import { createTlsFront, type Credentials } from './tls-front.ts'

/** The broker's limits (docs/protocol.md, "Limits"); tests make some of them smaller. */
export const productionLimits = {
  guestsPerAddress: 64,
  guests: 4096,
  guestTimeMs: 5000,
  guestGraceMs: 250,
  guestsWaitingPerAddress: 256,
  guestWaitMs: 2500,
  handshakeTimeoutMs: 5000,
  handshakesAtOnce: 4,
  handshakeHoldMs: 5,
  /** Of the event loop's time: when more is used, the next handshake waits for a moment. 1: it never does. */
  handshakeLoopShare: 1,
  handshakeLookMs: 2,
  handshakeYieldMs: 100,
  hookTimeoutMs: 2500,
  hookConcurrent: 32,
  hookWaiting: 1024,
  authGatherMs: 10,
  drainTimeoutMs: 10_000,
  boardBacklogBytes: 1024 * 1024,
  freeTakeovers: 5,
  refusalGatherMs: 250,
  refusalsWaiting: 1000,
  certificateLookMs: 30_000
}
export type Limits = typeof productionLimits

/** An expired certificate takes every board offline at once: the alarm comes 21 days ahead. */
const dayMs = 24 * 3600 * 1000
const certificateAlarmMs = 21 * dayMs

export interface BrokerDeps {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly limits?: Partial<Limits>
}

// Else the first packet makes a buffer for each number of two bytes, some 8 MiB, to save making one.
writeToStream.cacheNumbers = false

export type Broker = Awaited<ReturnType<typeof startBroker>>

/** Makes every part, hands them to each other, and starts. Rejects when a port is taken or the certificate cannot be used. */
export async function startBroker({ config, log, clock, limits: changed = {} }: BrokerDeps) {
  const limits = { ...productionLimits, ...changed }
  let stopping = false
  let credentials = await readCredentials(config)

  const tally = createTally()
  const sessions = createSessions({ now: clock.now })
  const hook = createHookClient({
    secret: config.secret,
    timeoutMs: limits.hookTimeoutMs,
    maxConcurrent: limits.hookConcurrent,
    maxWaiting: limits.hookWaiting
  })
  const ask = createAuthHook({
    hook,
    url: config.authUrl,
    batchUrl: config.authBatchUrl,
    gatherMs: limits.authGatherMs
  })
  const refusedUrl = new URL(mqttRefusedPath, config.authUrl)
  const refusals = createRefusals({
    post: (refusal) => hook.post(refusedUrl, refusal),
    tally,
    gatherMs: limits.refusalGatherMs,
    maxWaiting: limits.refusalsWaiting
  })
  const origins = new WeakMap<BoardStream, Origin>()
  const rules = createMqttRules({ refusals, tally, stopping: () => stopping })

  const aedes = new Aedes({
    persistence: createNoPersistence(),
    // 0 = no limit: with one, messages to a few frozen readers take all turns, and everybody waits.
    concurrency: 0,
    connectTimeout: limits.guestTimeMs,
    drainTimeout: limits.drainTimeoutMs,
    maxInflightInbound: 100,
    preConnect: createConnectStep({
      authenticate: createAuthenticator({ ask, clock }),
      backoff: createFailureBackoff({ now: clock.monotonic }),
      refusals,
      sessions,
      takeovers: createTakeovers({ free: limits.freeTakeovers, now: clock.monotonic }),
      tally,
      origins,
      now: clock.now
    }),
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

  const guests = createConnectionLimits(
    {
      perAddress: limits.guestsPerAddress,
      total: limits.guests,
      timeMs: limits.guestTimeMs,
      graceMs: limits.guestGraceMs,
      waitingPerAddress: limits.guestsWaitingPerAddress,
      waitMs: limits.guestWaitMs
    },
    clock.monotonic
  )
  const front = createTlsFront({
    credentials,
    limits: guests,
    handshakes: {
      atOnce: limits.handshakesAtOnce,
      holdMs: limits.handshakeHoldMs,
      ...(limits.handshakeLoopShare < 1 && {
        yields: {
          isBusy: createLoopGauge(limits.handshakeLoopShare),
          lookMs: limits.handshakeLookMs,
          longestMs: limits.handshakeYieldMs
        }
      })
    },
    handshakeTimeoutMs: limits.handshakeTimeoutMs,
    tally,
    onArrival({ socket, address, guest }) {
      const stream = new BoardStream(socket, {
        maxPacketBytes: mqttPacketMaxBytes,
        drainTimeoutMs: limits.drainTimeoutMs,
        maxBacklogBytes: limits.boardBacklogBytes,
        budget: createTokenBucket({ perSecond: config.packetsPerSecond, burst: config.packetsBurst }, clock.monotonic),
        onPackets: (packets) => {
          tally.packetsIn += packets
        }
      })
      origins.set(stream, { peerhost: address, guest })
      aedes.handle(stream)
    }
  })
  const metrics = createMetrics({
    tally,
    clients: sessions.count,
    guests: guests.count,
    handshakesWaiting: front.handshakesWaiting,
    certificateExpiresAt: () => expiryOf(credentials)
  })
  const management = createManagementApi({ secret: config.secret, sessions, metrics, healthy: () => !stopping })

  const mqttPort = await front.listen(config.mqttPort, config.mqttHost)
  const httpPort = await listen(management, config.httpPort, config.httpHost)
  log.info({ mqttPort, httpPort }, 'broker listens')
  tellCertificate()
  let toldAt = clock.now()
  const watch = setInterval(() => void watchCertificate(), limits.certificateLookMs)

  /** Takes another certificate without a signal, and says once a day that one ends soon. */
  async function watchCertificate(): Promise<void> {
    const found = await readCredentials(config).catch(() => credentials)
    if (found.cert !== credentials.cert || found.key !== credentials.key) await renewCertificate()
    if (clock.now() - toldAt < dayMs) return
    toldAt = clock.now()
    tellCertificate()
  }

  /** Takes the certificate from its files again. On a fault the old one stays. */
  async function renewCertificate(): Promise<boolean> {
    try {
      const renewed = await readCredentials(config)
      front.renew(renewed)
      credentials = renewed
      tellCertificate()
      return true
    } catch (error) {
      log.error({ err: error }, 'certificate not renewed; the old one stays')
      return false
    }
  }

  function tellCertificate(): void {
    const expiresAt = expiryOf(credentials)
    const told = { certificateExpiresAt: new Date(expiresAt).toISOString() }
    if (expiresAt - clock.now() < certificateAlarmMs) log.warn(told, 'the certificate ends soon: renew it, then SIGHUP')
    else log.info(told, 'certificate in use')
  }

  return {
    mqttPort,
    httpPort,
    /** For a part of the same process, in place of a connection. */
    join: (filter: string, onMessage: (topic: string, payload: Buffer) => void): InsideClient =>
      joinInside(aedes, filter, onMessage),
    /** For SIGHUP. */
    renewCertificate,
    async stop(): Promise<void> {
      if (stopping) return
      stopping = true
      clearInterval(watch)
      const closed = front.close()
      guests.endAll()
      for (const session of sessions.all()) session.stream.destroy()
      refusals.stop()
      await closed
      await new Promise<void>((resolve) => aedes.close(() => resolve()))
      hook.close()
      management.closeAllConnections()
      await close(management)
    }
  }
}

async function readCredentials({ certFile, keyFile }: Config): Promise<Credentials> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  return { cert, key }
}

const expiryOf = ({ cert }: Credentials): number => new X509Certificate(cert).validToDate.getTime()
