import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { mqttAuthBatchPath, mqttAuthPath, type DeviceCredentials } from '@batti/contracts'
import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { systemClock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { freePort } from '@batti/kit/node/ports'
import { until } from '@batti/kit/testing'
import { pino } from 'pino'
import { generate } from 'selfsigned'
import { compose, type Product } from '../compose.ts'
import { readConfig } from '../platform/config.ts'
import { aMac } from './a-mac.ts'
import { deviceAuth } from './device-auth.ts'
import { watchAnswers } from './answers-in-reference.ts'
import { openScreen, type Screen, type ScreenOptions } from './open-screen.ts'
import { invitationOf, outboxOf } from './outbox.ts'
import { testSecrets } from './test-secrets.ts'
import { connectBoard, type TestBoard } from './test-board.ts'
import { testDatabaseTimeoutMs } from './database-timeout.ts'

const repositoryDir = resolve(import.meta.dirname, '../../../..')
/** The password of all test accounts. */
export const productPassword = 'lamp under the stairs 7'
const password = productPassword

export interface Person {
  id: string
  email: string
  token: string
}

export interface TestProduct {
  url: string
  /** Its settings, for another instance on the same database and broker. */
  settings: Record<string, string>
  call(
    method: string,
    path: string,
    options?: { as?: Person; body?: unknown }
  ): Promise<{ status: number; body: Record<string, never> & { data: never; message: string; code: string } }>
  /** Creates an account and logs it in. */
  person(role?: 'user' | 'admin'): Promise<Person>
  /** Creates a monitor with these permissions and logs it in. */
  monitor(permissions: string[]): Promise<Person>
  screen(person: Person, options?: ScreenOptions): Promise<Screen>
  /** Pairs a fresh board with its owner's code; returns the credentials that the board got. */
  pair(owner: Person, board?: { mac?: string; deviceCode?: string; hwModel?: string }): Promise<DeviceCredentials>
  /** Pairs a board and connects it. */
  board(
    owner: Person,
    options?: { mac?: string; deviceCode?: string; hwModel?: string; outlets?: number }
  ): Promise<TestBoard & { mac: string }>
  connect(
    credentials: DeviceCredentials,
    options?: { outlets?: number; bootId?: string; announce?: boolean }
  ): Promise<TestBoard>
  claim(owner: Person): Promise<{ id: string; userId: string; code: string }>
  /** Returns the mails in the outbox, newest first. */
  mailsTo(person: Person): Promise<{ subject: string; text: string }[]>
  stop(): Promise<void>
}

/** Starts the composed api with a real database, the real broker in a process of its own, and TLS between them. */
export async function startProduct(
  env: Record<string, string> = {},
  patience: { boardDeadlineMs?: number } = {}
): Promise<TestProduct> {
  const dir = await mkdtemp(join(tmpdir(), 'batti-product-'))
  const database = await startTestDatabase()
  const [mqttPort, brokerPort, internalPort] = [await freePort(), await freePort(), await freePort()]
  const { certFile, keyFile } = await writeCertificate(dir)
  const secrets = testSecrets()
  const admin = { email: 'admin@batti.test', password }
  const settings = {
    ...secrets,
    MONGODB_URI: databaseUri(database.uri, createDatabaseName('product')),
    DATA_DIR: join(dir, 'api'),
    BCRYPT_COST: '4',
    DEV_OUTBOX: '1',
    MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
    MQTT_CA_FILE: certFile,
    MQTT_PUBLIC_HOST: '127.0.0.1',
    BROKER_API_URL: `http://127.0.0.1:${brokerPort}`,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...env
  }
  const { url, product } = await startInstance(settings, { internalPort, ...patience })
  const broker = startBroker({
    INTERNAL_SECRET: secrets.INTERNAL_SECRET,
    MQTT_PORT: String(mqttPort),
    BROKER_HTTP_PORT: String(brokerPort),
    MQTT_TLS_CERT_FILE: certFile,
    MQTT_TLS_KEY_FILE: keyFile,
    MQTT_AUTH_URL: `http://127.0.0.1:${internalPort}${mqttAuthPath}`,
    MQTT_AUTH_BATCH_URL: `http://127.0.0.1:${internalPort}${mqttAuthBatchPath}`
  })
  await until('the api is ready', async () => (await fetch(`${url}/readyz`)).ok)

  const call: TestProduct['call'] = async (method, path, { as, body } = {}) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, body: (await answer.json()) as never }
  }
  const logIn = async (email: string): Promise<Person> => {
    const { body } = await call('POST', '/user/login', { body: { email, password } })
    const { accessToken, user } = body.data as { accessToken: string; user: { _id: string } }
    return { id: user._id, email, token: accessToken }
  }
  let administrator: Promise<Person> | undefined
  let people = 0
  const screens: Screen[] = []
  const boards: TestBoard[] = []

  const harness: TestProduct = {
    url,
    settings,
    call,
    async person(role = 'user') {
      administrator ??= logIn(admin.email)
      const email = `person${++people}@batti.test`
      const phone = String(9_800_000_000 + people)
      const made = await call('POST', '/users', {
        as: await administrator,
        body: { name: `Person ${people}`, email, phone, password, role }
      })
      if (made.status !== 201) throw new Error(`no account: ${made.body.message}`)
      return logIn(email)
    },
    async monitor(permissions) {
      administrator ??= logIn(admin.email)
      const email = `monitor${++people}@batti.test`
      const phone = `+977${9_800_000_000 + people}`
      await call('POST', '/monitors', { as: await administrator, body: { name: 'Monitor', email, phone, permissions } })
      const token = await invitationOf(url, email)
      await call('POST', '/user/reset-password', { body: { token, newPassword: password } })
      return logIn(email)
    },
    async screen(person, options = {}) {
      const screen = await openScreen(url, person.token, options)
      screens.push(screen)
      return screen
    },
    async claim(owner) {
      return (await call('POST', '/device-claims', { as: owner, body: {} })).body.data
    },
    async pair(owner, board = {}) {
      const { userId } = await harness.claim(owner)
      const { status, body } = await call('POST', '/device-auth', { body: deviceAuth(userId, board) })
      if (status !== 201) throw new Error(`not paired: ${body.message}`)
      return body.data
    },
    async connect(credentials, options = {}) {
      const board = await connectBoard(credentials, { ca: credentials.mqttCaPem, outlets: 4, ...options })
      boards.push(board)
      return board
    },
    async board(owner, options = {}) {
      const mac = options.mac ?? aMac()
      const credentials = await harness.pair(owner, { ...options, mac })
      const board = await harness.connect(
        credentials,
        options.outlets === undefined ? {} : { outlets: options.outlets }
      )
      await until(
        'the board is online',
        async () => (await call('GET', `/devices/${credentials.deviceId}`, { as: owner })).body.data['isOnline']
      )
      await until('the board has an answer', () => board.acks.length > 0)
      return Object.assign(board, { mac })
    },
    mailsTo: ({ email }) => outboxOf(url, email),
    async stop() {
      for (const { socket } of screens) socket.disconnect()
      for (const board of boards) board.stop()
      await product.stop()
      await ended(broker)
      await database.stop()
      await rm(dir, { recursive: true, force: true })
    }
  }
  return harness
}

async function writeCertificate(dir: string): Promise<{ certFile: string; keyFile: string }> {
  const certificate = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' }
        ]
      }
    ]
  })
  const certFile = join(dir, 'cert.pem')
  const keyFile = join(dir, 'key.pem')
  await writeFile(certFile, certificate.cert)
  await writeFile(keyFile, certificate.private)
  return { certFile, keyFile }
}

const startBroker = (settings: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(repositoryDir, 'apps/broker/src/main.ts')], {
    env: { ...process.env, ...settings, LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'ignore', 'inherit']
  })

/**
 * Starts another api on the same database and broker, as behind a load balancer. A busy machine makes no board too slow.
 * `whileStarting` runs when the hooks listen already, but the link to the boards is not open yet.
 */
export async function startInstance(
  settings: Record<string, string>,
  {
    internalPort = 0,
    boardDeadlineMs = minuteMs,
    whileStarting
  }: { internalPort?: number; boardDeadlineMs?: number; whileStarting?: (api: Product) => Promise<void> } = {}
): Promise<{ url: string; product: Product }> {
  const config = readConfig(settings)
  const overrides = { databaseDeadlineMs: testDatabaseTimeoutMs, boardDeadlineMs }
  const product = await compose({ config, clock: systemClock, log: pino({ level: 'silent' }), overrides })
  const assertAnswersNamed = watchAnswers(product.http)
  await new Promise<void>((done) => product.internal.listen(internalPort, '127.0.0.1', done))
  await whileStarting?.(product)
  await product.start()
  await new Promise<void>((done) => product.http.listen(0, '127.0.0.1', done))
  const stop = async () => {
    await product.stop()
    assertAnswersNamed()
  }
  return { url: `http://127.0.0.1:${(product.http.address() as AddressInfo).port}`, product: { ...product, stop } }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}
