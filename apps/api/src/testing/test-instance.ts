import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Actor } from '../platform/people/actor.ts'
import { watchAnswers } from './answers-in-reference.ts'
import { compose, type Overrides, type Product } from '../compose.ts'
import type { Clock } from '@batti/kit/clock'
import type { Config } from '../platform/config.ts'
import type { MemoryBroker } from './memory-broker.ts'
import type { TestPeople } from './test-people.ts'
import { testDatabaseTimeoutMs } from './database-timeout.ts'

export interface Body {
  statusCode: number
  success: boolean
  message: string
  code: string
  errors?: { path: string; message: string }[]
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  data: any
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  [field: string]: any
}

/** One api process as shipped, with a broker in memory. */
export interface TestInstance extends Omit<Product['parts'], 'features'> {
  call(method: string, path: string, as: Actor | null, body?: unknown): Promise<Body>
  server: Product['http']
  connection: Product['parts']['platform']['connection']
  events: Product['parts']['platform']['events']
  models: Product['parts']['boards']['models']
  link: Product['parts']['boards']['link']
  /** The notices that this process sent to people. */
  notices: { userId: string; text: string }[]
  /** Returns all log lines so far. */
  logged(): string
  ensureIndexes(): Promise<unknown>
  /** Resolves when no write and no listener to events is pending. */
  settled(): Promise<void>
  /** Simulates kill -9 just before one more command is sent: from then on it receives, sends and stores nothing. */
  killAfter(commands: number): Promise<void>
  stop(): Promise<void>
}

export async function startInstance(parts: {
  config: Config
  clock: Clock
  broker: MemoryBroker
  people: TestPeople
  overrides: Overrides
}): Promise<TestInstance> {
  const { config, clock, broker, people } = parts
  const lines: string[] = []
  const log = pino(
    { level: 'debug' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString())
        done()
      }
    })
  )
  let cutAfter: ReturnType<MemoryBroker['openLink']>['cutAfter'] = () => undefined
  let isKilled = false
  const product = await compose({
    config,
    clock,
    log,
    overrides: {
      openLink(handlers) {
        const opened = broker.openLink(handlers)
        cutAfter = opened.cutAfter
        return opened
      },
      firesByHand: true,
      databaseDeadlineMs: testDatabaseTimeoutMs,
      ...parts.overrides
    }
  })
  const { features, ...given } = product.parts
  const { platform, boards, schedules } = given
  const { connection, events } = platform
  const notices: { userId: string; text: string }[] = []
  events.on('user-notified', (notice) => void notices.push(notice))
  await product.start()
  const server = product.http
  const assertAnswersNamed = watchAnswers(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`

  return {
    ...given,
    async call(method, path, as, body) {
      const isForm = body instanceof FormData
      const token = as === null ? null : await people.tokenOf(as)
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' })
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) })
      })
      return (await answer.json()) as Body
    },
    server,
    connection,
    events,
    models: boards.models,
    link: boards.link,
    notices,
    logged: () => lines.join(''),
    ensureIndexes: () => Promise.all(features.map(async (feature) => feature.indexes?.())),
    async settled() {
      await boards.store.drain()
      await events.settled()
      await schedules.settled()
    },
    killAfter: (commands) =>
      new Promise<void>((resolve) => {
        cutAfter(commands, () => {
          isKilled = true
          server.closeAllConnections()
          void connection.close(true).then(() => server.close(() => resolve()))
        })
      }),
    async stop() {
      if (isKilled) return
      server.closeAllConnections()
      await product.stop()
      assertAnswersNamed()
    }
  }
}
