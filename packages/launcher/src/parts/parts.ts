import { mqttAuthBatchPath, mqttAuthPath } from '@batti/contracts/http/own-paths'
import { isRecord, parseJson } from '@batti/kit/json'
import { join } from 'node:path'
import { bundleIn, programs } from '../bundle/bundles.ts'
import { bundlesHere } from '../bundle/here.ts'
import type { CertificateFiles } from '../certificates/certificates.ts'
import { localUrl } from '../local-call.ts'
import type { Secrets } from '../data/secrets.ts'

/** `home`: database, broker and api in one process. */
export type PartName = 'database' | 'broker' | 'api' | 'home' | 'boards' | 'web'

/** One process of the product. */
export interface Part {
  name: PartName
  /** As a sentence begins: `The broker`. */
  title: string
  /** Arguments of node. */
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** How long it goes on serving when it is asked to stop; nothing of it counts as hanging. */
  drainMs?: number
  /** When others may count on it: it answers there, or says so in its first line on stdout. */
  ready: { url: string } | { line: (line: string) => boolean }
}

export interface PartsPlan {
  root: string
  data: string
  /** `127.0.0.1`, or `0.0.0.0` for the house. */
  host: string
  /** Where people open it, without a slash at the end. */
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
  /** Null: the process of the home starts its own. */
  mongodbUri: string | null
  certificates: CertificateFiles
  secrets: Secrets
  production: boolean
  hasMailServer: boolean
  dev: boolean
  /** Database, broker and api in one process; the port of its database, where that cannot have a socket in its folder. */
  oneProcess: { databasePort: number | null } | null
  /** The folder that this one is a copy of, where the simulated boards would call the Batti of that; else null. */
  boardsOf: string | null
  admin: { email: string; password: string }
  /** Names under which others in the house reach it. */
  houseHosts: readonly string[]
  /** What the environment says; it comes first where a person may choose. */
  env: Readonly<Record<string, string>>
}

/** A program of ours, as it is run: bundled where this launcher is. */
const programAt = (root: string, source: string): string =>
  bundlesHere === null ? join(root, source) : bundleIn(bundlesHere, source)

/** The embedded engine; none when `MONGODB_URI` names a database. It opens a socket in its folder, else `port`. */
export function databasePart(plan: { root: string; data: string; port: number | null; env: PartsPlan['env'] }): Part {
  return {
    name: 'database',
    title: 'The database',
    args: [programAt(plan.root, programs.database), ...databaseArgs(plan.data, plan.port)],
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

/** The address in the database's first line, or null for another line. */
export function databaseUri(line: string): string | null {
  const said = parseJson(line)
  return isRecord(said) && typeof said['uri'] === 'string' ? said['uri'] : null
}

/**
 * Left alone, V8's space for young objects grows in a start, or in the first storm of connections, and stays: a third of the
 * api's memory, and more than a thousand boards hold in the broker.
 */
const smallYoungSpace = ['--max-semi-space-size=2']
/**
 * The three parts of a home together start with what they will use anyway: growing there took 0.4 s of a start, and saved no
 * memory. Young objects get more under a load (`home/heap-thrift.ts`), and give it back after it.
 */
const roomOfHome = ['--min-semi-space-size=4', '--max-semi-space-size=16', '--initial-heap-size=40', '--expose-gc']

/** The table of parts, in the order they start; they stop in the reverse. */
export function partsOf(plan: PartsPlan): Part[] {
  const { root } = plan
  const script = (source: string): string[] => [...(plan.dev ? ['--watch'] : []), programAt(root, source)]
  const parts = plan.oneProcess === null ? apartParts(plan, script) : [homePart(plan, plan.oneProcess)]
  if (!plan.production) parts.push(boardsPart(plan, script(programs.boards)))
  if (plan.dev) parts.push(vitePart(plan))
  return parts
}

function apartParts(plan: PartsPlan, script: (source: string) => string[]): Part[] {
  const { root, ports, env } = plan
  return [
    {
      name: 'broker',
      title: 'The broker',
      args: [...smallYoungSpace, ...script(programs.broker)],
      cwd: root,
      env: { ...env, ...brokerEnv(plan) },
      ready: { url: `${localUrl(ports.brokerApi)}/healthz` }
    },
    {
      name: 'api',
      title: 'The api',
      args: [...smallYoungSpace, ...script(programs.api)],
      cwd: root,
      env: apiEnv(plan),
      drainMs: drainOf(plan),
      ready: { url: `${localUrl(ports.http)}/healthz` }
    }
  ]
}

function homePart(plan: PartsPlan, { databasePort }: { databasePort: number | null }): Part {
  return {
    name: 'home',
    title: 'The home',
    args: [
      ...roomOfHome,
      programAt(plan.root, programs.home),
      ...(plan.mongodbUri === null ? databaseArgs(plan.data, databasePort) : [])
    ],
    cwd: plan.root,
    env: { ...apiEnv(plan), ...brokerEnv(plan) },
    drainMs: drainOf(plan),
    ready: { url: `${localUrl(plan.ports.http)}/healthz` }
  }
}

/** What is no number the api refuses in its own words. */
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
    // What a person may set, and else:
    DATA_DIR: join(data, 'api'),
    // Nobody balances any load here.
    DRAIN_MS: '0',
    PUBLIC_URL: plan.publicUrl,
    ...(plan.dev ? { CORS_ORIGINS: `${localUrl(ports.vite)},http://localhost:${ports.vite}` } : {}),
    ...(plan.production ? {} : { ADMIN_EMAIL: plan.admin.email, ADMIN_PASSWORD: plan.admin.password }),
    ...env,
    // What holds the parts together:
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

function boardsPart({ root, data, ports, publicUrl, boardsOf, env }: PartsPlan, script: string[]): Part {
  return {
    name: 'boards',
    title: 'The board simulator',
    args: script.concat(
      ['--fresh', '0', '--flash', join(data, 'boards'), '--json'],
      ['--wall', String(ports.wall), '--app', publicUrl],
      boardsOf === null ? [] : ['--faults', 'offline']
    ),
    cwd: root,
    env: { ...env },
    ready: { url: `${localUrl(ports.wall)}/healthz` }
  }
}

function vitePart({ root, host, ports, env }: PartsPlan): Part {
  return {
    name: 'web',
    title: 'The web app',
    args: [join(root, 'node_modules/vite/bin/vite.js'), '--port', String(ports.vite), '--strictPort', '--host', host],
    cwd: join(root, 'apps/web'),
    env: { ...env, API_URL: localUrl(ports.http) },
    ready: { url: `${localUrl(ports.vite)}/` }
  }
}
