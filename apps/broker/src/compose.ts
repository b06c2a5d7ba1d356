import { mqttPacketMaxBytes, mqttRefusedPath } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { because } from '@batti/kit/because'
import { close, listen } from '@batti/kit/node/listen'
import { createTokenBucket } from '@batti/kit/token-bucket'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createAuthHook } from './hook/auth-hook.ts'
import { createAuthenticator } from './hook/authenticate.ts'
import { createHookClient } from './hook/hook-client.ts'
import { createInTurn } from './hook/in-turn.ts'
import { createRefusals } from './hook/refusals.ts'
import { createManagementApi } from './management-api.ts'
import { createMetrics, createTally } from './metrics.ts'
import { BoardStream } from './mqtt/board-stream.ts'
import { createConnectStep, type Origin } from './mqtt/connect.ts'
import { createDownDelivery } from './mqtt/deliver-down.ts'
import { createFailureBackoff } from './mqtt/failure-backoff.ts'
import { joinInProcess, type InProcessClient } from './mqtt/in-process-client.ts'
import { createMqttEngine } from './mqtt/mqtt-engine.ts'
import { createMqttRules } from './mqtt/mqtt-rules.ts'
import { createSessions } from './mqtt/sessions.ts'
import { createTakeovers } from './mqtt/takeovers.ts'
import { readCertificate } from './tls/certificate.ts'
import { createConnectionLimits } from './tls/connection-limits.ts'
import { createLoopGauge } from './tls/loop-gauge.ts'
import { createTlsFront } from './tls/tls-front.ts'

/** The broker's limits (docs/protocol.md, "Limits"); tests make some of them smaller. */
const productionLimits = {
  pendingPerAddress: 64,
  pendingConnections: 4096,
  pendingTimeMs: 5000,
  pendingGraceMs: 250,
  waitingPerAddress: 256,
  waitMs: 2500,
  handshakeTimeoutMs: 5000,
  handshakesAtOnce: 4,
  handshakeHoldMs: 5,
  /** Share of the event loop's time. While more of it is used, the next handshake waits for a moment. 1 turns this off. */
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

export interface BrokerDeps {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly limits?: Partial<Limits>
}

export type Broker = Awaited<ReturnType<typeof startBroker>>

/** Creates and connects all parts, then listens. Rejects when a port is taken or the certificate cannot be used. */
export async function startBroker({ config, log, clock, limits: changed = {} }: BrokerDeps) {
  const limits = { ...productionLimits, ...changed }
  let stopping = false
  const certificate = await readCertificate({
    files: config,
    putToUse: (renewed) => front.renew(renewed),
    log,
    clock
  })

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
    urls: config.authUrls,
    batchUrls: config.authBatchUrls,
    gatherMs: limits.authGatherMs
  })
  const refusedAt = createInTurn(config.authUrls.map((url) => new URL(mqttRefusedPath, url)))
  const refusals = createRefusals({
    post: (refusal) => refusedAt((url) => hook.post(url, refusal)),
    tally,
    gatherMs: limits.refusalGatherMs,
    maxWaiting: limits.refusalsWaiting
  })
  const origins = new WeakMap<BoardStream, Origin>()
  const rules = createMqttRules({ refusals, tally, stopping: () => stopping })

  const aedes = await createMqttEngine({
    rules,
    sessions,
    limits,
    log,
    connectStep: createConnectStep({
      authenticate: createAuthenticator({ ask, clock, log }),
      backoff: createFailureBackoff({ now: clock.monotonic }),
      refusals,
      sessions,
      takeovers: createTakeovers({ free: limits.freeTakeovers, now: clock.monotonic }),
      tally,
      origins,
      now: clock.now
    })
  })

  const deliverDown = createDownDelivery({ sessions, tally })
  const connectionLimits = createConnectionLimits(
    {
      perAddress: limits.pendingPerAddress,
      total: limits.pendingConnections,
      timeMs: limits.pendingTimeMs,
      graceMs: limits.pendingGraceMs,
      waitingPerAddress: limits.waitingPerAddress,
      waitMs: limits.waitMs
    },
    clock.monotonic
  )
  const front = createTlsFront({
    credentials: certificate.current(),
    limits: connectionLimits,
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
    onArrival({ socket, address, pending }) {
      const stream = new BoardStream(socket, {
        maxPacketBytes: mqttPacketMaxBytes,
        drainTimeoutMs: limits.drainTimeoutMs,
        maxBacklogBytes: limits.boardBacklogBytes,
        budget: createTokenBucket({ perSecond: config.packetsPerSecond, burst: config.packetsBurst }, clock.monotonic),
        onPackets: (packets) => {
          tally.packetsIn += packets
        }
      })
      origins.set(stream, { peerhost: address, pending })
      aedes.handle(stream)
    }
  })
  const metrics = createMetrics({
    tally,
    clients: sessions.count,
    pending: connectionLimits.count,
    handshakesWaiting: front.handshakesWaiting,
    certificateExpiresAt: certificate.expiresAt
  })
  const management = createManagementApi({ secret: config.secret, sessions, metrics, healthy: () => !stopping })

  const mqttPort = await front.listen(config.mqttPort, config.mqttHost).catch(because('MQTT_HOST and MQTT_PORT'))
  const httpPort = await listen(management, config.httpPort, config.httpHost).catch(
    because('BROKER_HTTP_HOST and BROKER_HTTP_PORT')
  )
  log.info({ mqttPort, httpPort }, 'broker listens')
  const endWatch = certificate.watch(limits.certificateLookMs)

  return {
    mqttPort,
    httpPort,
    /** Lets a part of the same process publish and subscribe without a connection. */
    join: (filter: string, onMessage: (topic: string, payload: Buffer) => void): InProcessClient =>
      joinInProcess(aedes, deliverDown, filter, onMessage),
    /** Reloads the certificate from its files, for SIGHUP. */
    renewCertificate: certificate.renew,
    async stop(): Promise<void> {
      if (stopping) return
      stopping = true
      endWatch()
      const closed = front.close()
      connectionLimits.endAll()
      sessions.endAll()
      refusals.stop()
      await closed
      await new Promise<void>((resolve) => aedes.close(() => resolve()))
      hook.close()
      management.closeAllConnections()
      await close(management)
    }
  }
}
