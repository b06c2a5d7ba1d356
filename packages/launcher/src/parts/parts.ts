import { mqttAuthBatchPath, mqttAuthPath } from '@batti/contracts/http/own-paths'
import { isRecord, parseJson } from '@batti/kit/json'
import { join } from 'node:path'
import { bundleIn, programs } from '../bundle/bundles.ts'
import { ownBundleFolder } from '../bundle/own-bundle-folder.ts'
import type { CertificateFiles } from '../certificates/certificates.ts'
import { localUrl } from '../local-call.ts'
import type { Secrets } from '../data/secrets.ts'

/** `home`: database, broker and api in one process. */
export type PartName = 'database' | 'broker' | 'api' | 'home' | 'boards' | 'web'

/** One process of the product. */
export interface Part {
  name: PartName
  /** The name at the start of a sentence, such as `The broker`. */
  title: string
  /** The file that node runs. */
  program: string
  /** Arguments for node before and after the program. */
  nodeArgs: readonly string[]
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** How long it continues to serve after a request to stop. This time does not count as hanging. */
  drainMs?: number
  /** How it shows that it is ready: it answers at `url`, or prints a matching line to stdout. */
  ready: { url: string } | { line: (line: string) => boolean }
  /** A change of its code starts it anew, and one that has failed waits for that. */
  isWatched?: boolean
}

export interface PartsPlan {
  root: string
  data: string
  /** `127.0.0.1`, or `0.0.0.0` for the local network. */
  host: string
  /** The address that people open, without a trailing slash. */
  publicUrl: string
  ports: {
    http: number
    mqtt: number
    internal: number
    brokerApi: number
    metrics: number
    wall: number
    vite: number
  }
  /** Null: the home process starts its own. */
  mongodbUri: string | null
  certificates: CertificateFiles
  secrets: Secrets
  production: boolean
  hasMailServer: boolean
  dev: boolean
  /** Set when one process runs database, broker and api. The port is for a database that cannot have a socket in its folder. */
  oneProcess: { databasePort: number | null } | null
  /** The folder that this one is a copy of, if the simulated boards would connect to the original's broker; else null. */
  boardsOf: string | null
  admin: { email: string; password: string }
  /** Names under which others in the local network reach it. */
  houseHosts: readonly string[]
  /** The environment. It overrides the defaults of settings that users may choose. */
  env: Readonly<Record<string, string>>
}

/** Returns the file of a program to run: its bundle if this launcher is bundled, else its source. */
const programAt = (root: string, source: string): string =>
  ownBundleFolder === null ? join(root, source) : bundleIn(ownBundleFolder, source)

/** Returns the embedded database as a part. It listens on `port`, or on a socket in its folder when that is null. */
export function databasePart(plan: { root: string; data: string; port: number | null; env: PartsPlan['env'] }): Part {
  return {
    name: 'database',
    title: 'The database',
    program: programAt(plan.root, programs.database),
    nodeArgs: [],
    args: databaseArgs(plan.data, plan.port),
    cwd: plan.root,
    env: { ...plan.env },
    ready: { line: (line) => databaseUri(line) !== null }
  }
}

const databaseArgs = (data: string, port: number | null): string[] => [
  '--data',
  join(data, 'db'),
  ...(port === null ? [] : ['--port', String(port)])
]

/** Returns the address in the database's first line; null for any other line. */
export function databaseUri(line: string): string | null {
  const said = parseJson(line)
  return isRecord(said) && typeof said['uri'] === 'string' ? said['uri'] : null
}

/**
 * By default V8's young generation grows at the start or in the first reconnect storm, and never shrinks: a third of the api's
 * memory, and more than a thousand boards need in the broker.
 */
const smallYoungSpace = ['--max-semi-space-size=2']
/**
 * The home process starts with the heap that it will need anyway: growing to it took 0.4 s of a start, and saved no memory.
 * The young generation grows under load and shrinks again afterwards (`home/heap-tuner.ts`).
 */
const roomOfHome = ['--min-semi-space-size=4', '--max-semi-space-size=16', '--initial-heap-size=40', '--expose-gc']

/** Returns the parts in the order in which they start; they stop in reverse order. */
export function partsOf(plan: PartsPlan): Part[] {
  const parts = plan.oneProcess === null ? apartParts(plan) : [homePart(plan, plan.oneProcess)]
  if (!plan.production) parts.push(boardsPart(plan))
  if (plan.dev) parts.push(vitePart(plan))
  return parts
}

function apartParts(plan: PartsPlan): Part[] {
  const { root, ports, env } = plan
  return [
    {
      name: 'broker',
      title: 'The broker',
      program: programAt(root, programs.broker),
      nodeArgs: smallYoungSpace,
      args: [],
      cwd: root,
      env: { ...env, ...brokerEnv(plan) },
      ready: { url: `${localUrl(ports.brokerApi)}/healthz` },
      isWatched: plan.dev
    },
    {
      name: 'api',
      title: 'The api',
      program: programAt(root, programs.api),
      nodeArgs: smallYoungSpace,
      args: [],
      cwd: root,
      env: apiEnv(plan),
      drainMs: drainOf(plan),
      ready: { url: `${localUrl(ports.http)}/healthz` },
      isWatched: plan.dev
    }
  ]
}

function homePart(plan: PartsPlan, { databasePort }: { databasePort: number | null }): Part {
  return {
    name: 'home',
    title: 'The home',
    program: programAt(plan.root, programs.home),
    nodeArgs: roomOfHome,
    args: plan.mongodbUri === null ? databaseArgs(plan.data, databasePort) : [],
    cwd: plan.root,
    env: homeEnv(plan),
    drainMs: drainOf(plan),
    ready: { url: `${localUrl(plan.ports.http)}/healthz` }
  }
}

/** The settings of api and broker together. */
export const homeEnv = (plan: PartsPlan): Record<string, string> => ({ ...apiEnv(plan), ...brokerEnv(plan) })

/** Treats an invalid value as 0, because the api itself reports it. */
const drainOf = ({ env }: PartsPlan): number => Number(env['DRAIN_MS'] ?? 0) || 0

function brokerEnv({ host, ports, certificates, secrets }: PartsPlan): Record<string, string> {
  return {
    MQTT_HOST: host,
    MQTT_PORT: String(ports.mqtt),
    MQTT_TLS_CERT_FILE: certificates.certFile,
    MQTT_TLS_KEY_FILE: certificates.keyFile,
    MQTT_AUTH_URL: `${localUrl(ports.internal)}${mqttAuthPath}`,
    MQTT_AUTH_BATCH_URL: `${localUrl(ports.internal)}${mqttAuthBatchPath}`,
    INTERNAL_SECRET: secrets.INTERNAL_SECRET,
    BROKER_HTTP_HOST: '127.0.0.1',
    BROKER_HTTP_PORT: String(ports.brokerApi)
  }
}

function apiEnv(plan: PartsPlan): Record<string, string> {
  const { host, ports, certificates, secrets, data, env } = plan
  return {
    // Defaults of settings that users may choose:
    DATA_DIR: join(data, 'api'),
    // There is no load balancer that needs time to notice a stop.
    DRAIN_MS: '0',
    PUBLIC_URL: plan.publicUrl,
    ...(plan.dev ? { CORS_ORIGINS: `${localUrl(ports.vite)},http://localhost:${ports.vite}` } : {}),
    ...(plan.production ? {} : { ADMIN_EMAIL: plan.admin.email, ADMIN_PASSWORD: plan.admin.password }),
    ...env,
    // Settings that connect the parts:
    HOST: host,
    ALLOWED_HOSTS: [env['ALLOWED_HOSTS'] ?? '', ...plan.houseHosts].join(','),
    PORT: String(ports.http),
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: String(ports.internal),
    METRICS_PORT: String(ports.metrics),
    MONGODB_URI: plan.mongodbUri ?? '',
    JWT_SECRET: secrets.JWT_SECRET,
    DATA_KEY: secrets.DATA_KEY,
    INTERNAL_SECRET: secrets.INTERNAL_SECRET,
    MQTT_SERVICE_PASSWORD: secrets.MQTT_SERVICE_PASSWORD,
    MQTT_URL: `mqtts://127.0.0.1:${ports.mqtt}`,
    MQTT_CA_FILE: certificates.caFile,
    BROKER_API_URL: localUrl(ports.brokerApi),
    DEV_OUTBOX: plan.production || plan.hasMailServer ? '' : '1'
  }
}

function boardsPart(plan: PartsPlan): Part {
  const { root, data, ports, publicUrl, boardsOf, env } = plan
  return {
    name: 'boards',
    title: 'The board simulator',
    program: programAt(root, programs.boards),
    nodeArgs: [],
    args: ['--fresh', '0', '--flash', join(data, 'boards'), '--json'].concat(
      ['--wall', String(ports.wall), '--app', publicUrl],
      boardsOf === null ? [] : ['--faults', 'offline']
    ),
    cwd: root,
    env: { ...env },
    ready: { url: `${localUrl(ports.wall)}/healthz` },
    isWatched: plan.dev
  }
}

function vitePart({ root, host, ports, env }: PartsPlan): Part {
  return {
    name: 'web',
    title: 'The web app',
    program: join(root, 'node_modules/vite/bin/vite.js'),
    nodeArgs: [],
    args: ['--port', String(ports.vite), '--strictPort', '--host', host],
    cwd: join(root, 'apps/web'),
    env: { ...env, API_URL: localUrl(ports.http) },
    ready: { url: `${localUrl(ports.vite)}/` }
  }
}
