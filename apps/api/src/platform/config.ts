import {
  brokerClientsPath,
  defaultHttpPort,
  defaultMetricsPort,
  defaultMqttPort,
  emailAddress,
  wholeNumber
} from '@batti/contracts'
import { brandIds } from '@batti/contracts/brand'
import {
  httpUrls,
  isVaried,
  list,
  listenHost,
  listenPort,
  listOf,
  logLevel,
  oneOf,
  secret
} from '@batti/contracts/settings'
import { parseJson } from '@batti/kit/json'
import { givenIn } from '@batti/kit/node/config'
import { isReadableFile } from '@batti/kit/node/files'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isProxyEntry, isSubnet } from './address-list.ts'
import { isHostName } from './http/addresses/own-hosts.ts'
import { smsPlaces } from './sms/http-sms.ts'

const flag = z
  .enum(['0', '1', 'true', 'false'], 'must be 1 or 0')
  .transform((value) => value === '1' || value === 'true')
/** More than a lifetime, and small enough that the resulting date is valid. */
const days = wholeNumber(1, 1_000_000)
const limit = wholeNumber(0, 1_000_000)
/** As browsers write origins; apps have schemes of their own. */
const isOrigin = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/.test(text)
const isKey = (text: string): boolean => Buffer.from(text, 'base64').length === 32
const dataKey = z
  .string({ error: 'DATA_KEY is missing: set it to 32 random bytes in base64, for example `openssl rand -base64 32`' })
  .refine(isKey, { error: 'DATA_KEY must be 32 bytes in base64', abort: true })
  .refine((text) => isVaried(Buffer.from(text, 'base64')), 'DATA_KEY repeats a few bytes: set it to 32 random ones')
const isWholeSms = (request: string): boolean => /\{text\}/.test(request) && /\{(?:to|number)\}/.test(request)

export const environment = z
  .object({
    NODE_ENV: oneOf('development', 'test', 'production').default('development'),
    LOG_LEVEL: logLevel.default('info'),
    HOST: listenHost.default('127.0.0.1'),
    PORT: listenPort.default(defaultHttpPort),
    INTERNAL_HOST: listenHost.default('127.0.0.1'),
    INTERNAL_PORT: listenPort.default(49999),
    METRICS_HOST: listenHost.default('127.0.0.1'),
    METRICS_PORT: listenPort.default(defaultMetricsPort),
    INTERNAL_SECRET: secret,
    MONGODB_URI: z.string({ error: 'MONGODB_URI is missing: set it to mongodb://…, or start with `npm start`' }).min(1),
    JWT_SECRET: secret,
    JWT_SECRET_PREVIOUS: secret.optional(),
    DATA_KEY: dataKey,
    DATA_KEY_PREVIOUS: z
      .string()
      .refine(
        (text) => listOf(text).every(isKey),
        'DATA_KEY_PREVIOUS must be 32 bytes in base64, or several of them separated by commas'
      )
      .optional(),
    DATA_DIR: z.string().default('.batti/api'),
    WEB_DIR: z
      .string()
      .refine((folder) => isReadableFile(join(folder, 'index.html')), 'WEB_DIR names a folder without a built web app')
      .optional(),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'PUBLIC_URL must be http://… or https://…', abort: true })
      .regex(/^[^?#@]*$/, 'PUBLIC_URL takes no user and nothing behind ? or #')
      .transform((text) => new URL(text).href.replace(/\/$/, ''))
      .optional(),
    MQTT_URL: z
      .url({ protocol: /^(?:mqtts?|tcp|ssl|tls|wss?)$/, error: 'MQTT_URL must be mqtts://…, or mqtt://… without TLS' })
      .default(`mqtts://127.0.0.1:${defaultMqttPort}`),
    MQTT_CA_FILE: z.string().refine(isReadableFile, 'MQTT_CA_FILE names a file that cannot be read').optional(),
    MQTT_SERVICE_PASSWORD: secret,
    MQTT_SERVICE_NETWORKS: list
      .refine(
        (entries) => entries.length > 0 && entries.every(isSubnet),
        'MQTT_SERVICE_NETWORKS takes addresses and networks, for example 192.0.2.7, 10.0.0.0/8'
      )
      .default(['127.0.0.1', '::1']),
    MQTT_SHARED_GROUP: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'MQTT_SHARED_GROUP is one word, for example batti')
      .optional(),
    MQTT_PUBLIC_HOST: z
      .string()
      .regex(
        /^(?:[^\s:/@[\]]+|\[?(?=[^.]*:.*:)[\da-f:.]+\]?)$/i,
        'MQTT_PUBLIC_HOST is a name or an address alone, for example mqtt.example.org'
      )
      .optional(),
    MQTT_PUBLIC_PORT: wholeNumber(1, 65_535).optional(),
    /** With several nodes, each can only end its own connections. */
    BROKER_API_URL: httpUrls(
      'BROKER_API_URL takes the address of the broker, or of each of its nodes, for example http://rmqtt1:6060, http://rmqtt2:6060'
    ).prefault('http://127.0.0.1:18083'),
    BROKER_API_PATH: z
      .string()
      .regex(/^\/\S*[^\s/]$/, 'BROKER_API_PATH begins with a slash and does not end with one')
      .default(brokerClientsPath),
    BROKER_API_AUTH: oneOf('bearer', 'basic').default('bearer'),
    BROKER_API_USER: z.string().optional(),
    BROKER_API_PASSWORD: z.string().optional(),
    CLUSTER_ADAPTER: oneOf('none', 'mongo', 'redis').default('none'),
    REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'REDIS_URL must be redis://… or rediss://…' }).optional(),
    /** How long the api keeps serving after SIGTERM, while readiness is red. */
    DRAIN_MS: wholeNumber(0, 600_000).default(5000),
    DEV_OUTBOX: flag.default(false),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, hostname: /./, error: 'SMTP_URL must be smtp://… or smtps://…' })
      .optional(),
    MAIL_FROM: z
      .string()
      .regex(/[^\s<>@]@[^\s<>@]/, 'MAIL_FROM needs an address, for example Batti <no-reply@example.org>')
      .default('Batti <no-reply@batti.local>'),
    SMS_URL: z.url({ protocol: /^https?$/, error: 'SMS_URL must be http://… or https://…' }).optional(),
    SMS_TEMPLATE: z
      .string()
      .refine(
        (template) => parseJson(template.replaceAll(smsPlaces, '0')) !== undefined,
        'SMS_TEMPLATE is JSON, for example {"to":"{to}","text":"{text}"}'
      )
      .optional(),
    BRAND: oneOf(...brandIds).default('batti'),
    TRUST_PROXY: list
      .refine(
        (entries) => entries.every(isProxyEntry),
        'TRUST_PROXY takes addresses and networks, loopback, linklocal and uniquelocal, for example loopback, 10.0.0.0/8'
      )
      .default([]),
    CORS_ORIGINS: list
      .refine(
        (entries) => entries.every(isOrigin),
        'CORS_ORIGINS takes origins with nothing behind them, for example https://app.example.org'
      )
      .default([]),
    ALLOWED_HOSTS: list
      .refine((entries) => entries.every(isHostName), 'ALLOWED_HOSTS takes names alone, for example batti.example.org')
      .default([]),
    ADMIN_EMAIL: z
      .string()
      .refine((text) => emailAddress.safeParse(text).success, 'ADMIN_EMAIL must be an e-mail address')
      .optional(),
    ADMIN_PASSWORD: z.string().optional(),
    ALLOW_LEGACY_PAIRING: flag.default(false),
    AUDIT_LOG_DAYS: days.default(400),
    /** Minutes offline after which a board that was online before counts as silent, for up to 30 days. */
    SILENT_MINUTES: wholeNumber(1, 30 * 24 * 60 - 1).default(1440),
    ACTION_LOG_DAYS: days.default(180),
    BCRYPT_COST: wholeNumber(4, 15).default(12),
    LIMIT_COMMANDS: limit.default(20),
    LIMIT_JOINS: limit.default(600),
    LIMIT_CALLS: limit.default(4),
    LIMIT_SOCKETS: limit.default(200),
    LIMIT_BOARDS: limit.default(100),
    LIMIT_PICTURES: limit.default(60),
    LIMIT_ROOMS: limit.default(200),
    LIMIT_LOG_ROWS: limit.default(60),
    LIMIT_REPORTS: limit.default(20),
    LIMIT_CLAIMS: limit.default(600),
    LIMIT_DEVICE_REFUSALS: limit.default(10),
    /** PEM files of Ed25519 public keys. If set, unsigned images are refused. */
    FIRMWARE_TRUSTED_KEYS: list.default([]),
    /** How many seconds a board must stay online with its new version until the update counts as done. */
    FIRMWARE_PROVE_S: wholeNumber(0, 3600).default(120),
    ROLLOUT_APPROVAL: flag.default(false),
    S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'S3_ENDPOINT must be http://… or https://…' }).optional(),
    S3_BUCKET: z.string().optional(),
    S3_REGION: z.string().optional(),
    S3_ACCESS_KEY: z.string().optional(),
    S3_SECRET_KEY: z.string().optional()
  })
  .refine((env) => !(env.NODE_ENV === 'production' && env.DEV_OUTBOX), {
    path: ['DEV_OUTBOX'],
    message: 'DEV_OUTBOX shows every code and is refused in production: remove it'
  })
  .refine((env) => !(env.NODE_ENV === 'production' && env.BCRYPT_COST < 12), {
    path: ['BCRYPT_COST'],
    message: 'BCRYPT_COST must be at least 12 in production'
  })
  .refine((env) => !(env.NODE_ENV === 'production' && env.FIRMWARE_PROVE_S < 120), {
    path: ['FIRMWARE_PROVE_S'],
    message: 'FIRMWARE_PROVE_S must be at least 120 in production'
  })
  .refine((env) => (env.ADMIN_EMAIL === undefined) === (env.ADMIN_PASSWORD === undefined), {
    path: ['ADMIN_EMAIL'],
    message: 'ADMIN_EMAIL and ADMIN_PASSWORD go together'
  })
  .refine(({ SMS_URL, SMS_TEMPLATE = '' }) => SMS_URL === undefined || isWholeSms(SMS_URL + SMS_TEMPLATE), {
    path: ['SMS_URL'],
    message: 'SMS_URL or SMS_TEMPLATE needs {text}, and {to} or {number}: else no code is in what the gateway gets'
  })
  .refine((env) => (env.S3_ACCESS_KEY === undefined) === (env.S3_SECRET_KEY === undefined), {
    path: ['S3_ACCESS_KEY'],
    message: 'S3_ACCESS_KEY and S3_SECRET_KEY go together'
  })
  .refine((env) => env.CLUSTER_ADAPTER !== 'redis' || env.REDIS_URL !== undefined, {
    path: ['REDIS_URL'],
    message: 'REDIS_URL is missing: CLUSTER_ADAPTER=redis needs it, for example redis://127.0.0.1:6379'
  })
  .refine((env) => env.MQTT_SHARED_GROUP === undefined || env.CLUSTER_ADAPTER === 'redis', {
    path: ['MQTT_SHARED_GROUP'],
    message:
      'MQTT_SHARED_GROUP needs CLUSTER_ADAPTER=redis: a message then reaches one instance, and the others hear of it through Redis'
  })
  .refine(
    (env) =>
      env.BROKER_API_AUTH !== 'basic' || (env.BROKER_API_USER !== undefined && env.BROKER_API_PASSWORD !== undefined),
    { path: ['BROKER_API_AUTH'], message: 'BROKER_API_AUTH=basic needs BROKER_API_USER and BROKER_API_PASSWORD' }
  )

export type Config = Readonly<z.infer<typeof environment>> & { readonly dataDir: string }

/** Returns the broker's address as boards are told it; no host if it is the one that they already use. */
export const brokerForBoards = (config: Config): { host: string | undefined; port: number } => ({
  host: config.MQTT_PUBLIC_HOST,
  port: config.MQTT_PUBLIC_PORT ?? Number(new URL(config.MQTT_URL).port || defaultMqttPort)
})

/** Turning the first limit off also turns the second off, unless that is set: a load test of boards needs neither. */
const limitsThatFollow = { LIMIT_CLAIMS: 'LIMIT_BOARDS', LIMIT_REPORTS: 'LIMIT_LOG_ROWS' } as const

/** All faults of the settings, one sentence each. */
export class ConfigError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The api's settings are not right:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads settings from `env`. Empty values count as not set.
 * @throws ConfigError naming every fault at once.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = givenIn(env)
  for (const [leader, follower] of Object.entries(limitsThatFollow)) if (given[leader] === '0') given[follower] ??= '0'
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const name = issue.path.join('.')
      return issue.message.includes(name) ? issue.message : `${name}: ${issue.message}`
    })
    // Deduplicated: an address without scheme and host fails two checks with the same message.
    throw new ConfigError([...new Set(faults)])
  }
  return Object.freeze({ ...parsed.data, dataDir: resolve(parsed.data.DATA_DIR) })
}
