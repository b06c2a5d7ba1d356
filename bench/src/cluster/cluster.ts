import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@batti/client/client'
import { freePort } from '@batti/kit/node/ports'
import { introduceBoard, type PairedBoard } from '../fill/introduce-board.ts'
import { macOf } from '../fill/mac-of.ts'
import { createApiStarter, logIn, whenAlive, whenReady, type Api } from './apis.ts'
import { brokers, type BrokerName } from './brokers.ts'
import { limitsOff } from '../product.ts'
import { startDatabase, startRedis, type Program } from './programs.ts'

export interface MqttAddress {
  url: string
  /** CA of the broker; none without TLS. */
  ca?: string
}

export interface Cluster {
  dir: string
  redisPort: number
  mqtt: MqttAddress
  /** Settings of every api. */
  settings: Readonly<Record<string, string>>
  databaseUri: string
  admin: { email: string; password: string }
  apis: Api[]
  boards: PairedBoard[]
  programs: Map<string, Program>
  /** Starts another api with the settings of the cluster and these. */
  startApi(env?: Record<string, string>): Promise<Api>
  redisGoes(): Promise<void>
  redisComes(): Promise<void>
  stop(): Promise<void>
}

/** Starts an empty database, Redis, a broker and apis. Pairs boards by the first api and connects them to the broker. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const dir = await mkdtemp(join(tmpdir(), 'batti-cluster-'))
  const programs = new Map<string, Program>()
  async function stop(): Promise<void> {
    for (const program of [...programs.values()].toReversed()) await program.end('SIGKILL')
    await rm(dir, { recursive: true, force: true })
  }
  try {
    return { ...(await startAll(options, dir, programs)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface ClusterOptions {
  apis: number
  boards: number
  broker?: BrokerName
  env?: Record<string, string>
  loadPassword?: string
}

async function startAll(
  options: ClusterOptions,
  dir: string,
  programs: Map<string, Program>
): Promise<Omit<Cluster, 'stop'>> {
  const [redisPort, mqttPort] = [await freePort(), await freePort()]
  const broker = options.broker ?? 'mosquitto'
  const managementPorts: number[] = []
  while (managementPorts.length < brokers[broker].nodes) managementPorts.push(await freePort())
  const ofBroker = brokers[broker].settings?.(dir)
  const mqtt: MqttAddress =
    ofBroker === undefined
      ? { url: `mqtt://127.0.0.1:${mqttPort}` }
      : { url: `mqtts://localhost:${mqttPort}`, ca: await readFile(ofBroker.MQTT_CA_FILE, 'utf8') }
  const database = await startDatabase(join(dir, 'db'))
  programs.set('database', database.program)
  programs.set('redis', await startRedis(redisPort))
  const admin = { email: 'admin@batti.test', password: 'lamp under the stairs 7' }
  const settings: Record<string, string> = {
    ...limitsOff,
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    LOG_LEVEL: 'fatal',
    INTERNAL_SECRET: randomBytes(32).toString('hex'),
    JWT_SECRET: randomBytes(32).toString('hex'),
    MQTT_SERVICE_PASSWORD: randomBytes(32).toString('hex'),
    DATA_KEY: randomBytes(32).toString('base64'),
    MONGODB_URI: database.uri,
    MQTT_URL: mqtt.url,
    ...ofBroker,
    BROKER_API_URL: managementPorts.map((port) => `http://127.0.0.1:${port}`).join(),
    CLUSTER_ADAPTER: 'redis',
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    MQTT_SHARED_GROUP: 'batti',
    BCRYPT_COST: '4',
    DEV_OUTBOX: '1',
    TRUST_PROXY: 'loopback',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    DRAIN_MS: '0',
    ...options.env
  }
  const startApi = createApiStarter({ dir, settings, programs })

  // Start all at once on an empty database: each must succeed.
  const apis = await Promise.all(Array.from({ length: options.apis }, () => startApi({})))
  await Promise.all(apis.map(whenAlive))
  const [first] = apis
  if (first === undefined) throw new Error('a cluster has an api')
  const token = await logIn(first.url, admin)
  const boards = await pairBoards(first, token, options.boards)
  const nodes = await brokers[broker].start({
    dir,
    port: mqttPort,
    managementPorts,
    apis,
    secret: settings['INTERNAL_SECRET'] ?? '',
    apiPassword: settings['MQTT_SERVICE_PASSWORD'] ?? '',
    boards,
    ...(options.loadPassword === undefined ? {} : { loadPassword: options.loadPassword })
  })
  for (const program of nodes) programs.set(program.name, program)
  await Promise.all(apis.map(whenReady))

  return {
    dir,
    redisPort,
    mqtt,
    settings,
    databaseUri: database.uri,
    admin,
    apis,
    boards,
    programs,
    async startApi(env = {}) {
      const api = await startApi(env)
      await whenReady(api)
      apis.push(api)
      return api
    },
    async redisGoes() {
      await programs.get('redis')?.end('SIGKILL')
    },
    async redisComes() {
      programs.set('redis', await startRedis(redisPort))
    }
  }
}

/** Pairs `count` boards, one after another. */
async function pairBoards({ url }: Api, token: string, count: number): Promise<PairedBoard[]> {
  const owner = createClient({ base: url, token })
  const boards: PairedBoard[] = []
  while (boards.length < count) boards.push(await introduceBoard(owner, macOf(boards.length)))
  return boards
}
