import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testSecrets } from '../testing/test-secrets.ts'
import { ConfigError, readConfig } from './config.ts'

const settings = { ...testSecrets(), MONGODB_URI: 'mongodb://127.0.0.1/x' }

function faultsOf(more: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...settings, ...more })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

it('a data key that is too short is one fault', () => {
  expect(faultsOf({ DATA_KEY: 'abc' })).toEqual(['DATA_KEY must be 32 bytes in base64'])
})

it.each([
  ['no adapter', {}],
  ['the Mongo adapter', { CLUSTER_ADAPTER: 'mongo' }]
])('a shared group is refused with %s, and the sentence names both settings', (_what, more) => {
  const [fault = '', ...others] = faultsOf({ MQTT_SHARED_GROUP: 'batti', ...more })
  expect(others).toEqual([])
  expect(fault).toContain('MQTT_SHARED_GROUP')
  expect(fault).toContain('CLUSTER_ADAPTER=redis')
})

it('a shared group and Redis go together', () => {
  const redis = { CLUSTER_ADAPTER: 'redis', REDIS_URL: 'redis://127.0.0.1:6379' }
  expect(faultsOf({ MQTT_SHARED_GROUP: 'batti', ...redis })).toEqual([])
  expect(faultsOf({ CLUSTER_ADAPTER: 'redis' })).toEqual([expect.stringContaining('REDIS_URL is missing')])
  expect(faultsOf({ ...redis, REDIS_URL: 'http://127.0.0.1' })).toEqual([expect.stringContaining('REDIS_URL')])
})

it.each([
  ['MQTT_SERVICE_NETWORKS', '10.0.0.0/33'],
  ['MQTT_SERVICE_NETWORKS', 'house'],
  ['MQTT_SHARED_GROUP', 'a/b'],
  ['BROKER_API_PATH', 'clients'],
  ['BROKER_API_AUTH', 'basic'],
  ['DRAIN_MS', '-1'],
  ['BRAND', 'northwind'],
  ['BRAND', 'constructor'],
  ['PUBLIC_URL', 'ftp://house'],
  ['PUBLIC_URL', 'https://house?x=1'],
  ['MQTT_URL', 'http://127.0.0.1:8883'],
  ['MQTT_CA_FILE', '/nowhere/ca.pem'],
  ['MQTT_PUBLIC_PORT', '0'],
  ['MQTT_PUBLIC_HOST', 'mqtts://mqtt.example.org'],
  ['MQTT_PUBLIC_HOST', 'mqtt.example.org:8883'],
  ['MQTT_PUBLIC_HOST', '127.0.0.1:8883'],
  ['MQTT_SERVICE_NETWORKS', ','],
  ['ALLOWED_HOSTS', 'batti.example.org, https://house.example.org'],
  ['CORS_ORIGINS', 'https://app.example.org/'],
  ['CORS_ORIGINS', 'app.example.org'],
  ['MAIL_FROM', 'Batti'],
  ['SMTP_URL', 'mail.example.com:587'],
  ['SMTP_URL', 'smtp://'],
  ['S3_ENDPOINT', 'minio:9000'],
  ['SMS_URL', 'gateway'],
  ['JWT_SECRET_PREVIOUS', 'short'],
  ['DATA_KEY_PREVIOUS', 'bm9uZQ=='],
  ['TRUST_PROXY', 'loopback,garbage'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['AUDIT_LOG_DAYS', '1e12'],
  ['ACTION_LOG_DAYS', '1e12'],
  ['SMS_URL', 'https://gateway.example.com/send?text={text}'],
  ['SMS_TEMPLATE', 'to={to}&text={text}'],
  ['S3_ACCESS_KEY', 'key'],
  ['S3_SECRET_KEY', 'secret'],
  ['SILENT_MINUTES', '43200'],
  ['METRICS_HOST', 'foo bar'],
  ['HOST', 'http://127.0.0.1'],
  ['HOST', '127.0.0.1:49998'],
  ['INTERNAL_HOST', '[::1]'],
  ['WEB_DIR', '/nowhere'],
  ['WEB_DIR', import.meta.dirname]
])('%s=%s is refused by name', (name, value) => {
  expect(faultsOf({ [name]: value }).join(' ')).toContain(name)
})

it.each(['0x10', '1e3', '1.5', '٥', 'five', '-', '5 6'])(
  'a number is written in digits alone: %s is refused',
  (value) => {
    for (const name of ['PORT', 'LIMIT_ROOMS', 'LIMIT_COMMANDS', 'SILENT_MINUTES', 'BCRYPT_COST'])
      expect(faultsOf({ [name]: value })).toEqual([`${name}: must be a whole number`])
  }
)

it('a number has bounds, and may have blanks around it, as files of settings leave them', () => {
  expect(faultsOf({ SILENT_MINUTES: '99999999999' })).toEqual(['SILENT_MINUTES: must be at most 43199'])
  expect(faultsOf({ PORT: '9'.repeat(20) })).toEqual(['PORT: must be at most 65535'])
  expect(faultsOf({ LIMIT_ROOMS: `-${'9'.repeat(20)}` })).toEqual(['LIMIT_ROOMS: must be at least 0'])
  expect(faultsOf({ LIMIT_ROOMS: '-1' })).toEqual(['LIMIT_ROOMS: must be at least 0'])
  expect(readConfig({ ...settings, LIMIT_ROOMS: ' 5 ', SILENT_MINUTES: '43199\r' })).toMatchObject({
    LIMIT_ROOMS: 5,
    SILENT_MINUTES: 43_199
  })
})

it('a setting that is wrong in two ways is named once', () => {
  expect(faultsOf({ SMTP_URL: 'mail.example.com:587' })).toEqual(['SMTP_URL must be smtp://… or smtps://…'])
})

it('a setting of a few words names them', () => {
  const of = (name: string) => faultsOf({ [name]: 'loud' })
  expect(of('NODE_ENV')).toEqual(['NODE_ENV: must be development, test or production'])
  expect(of('BROKER_API_AUTH')).toEqual(['BROKER_API_AUTH: must be bearer or basic'])
  expect(of('ROLLOUT_APPROVAL')).toEqual(['ROLLOUT_APPROVAL: must be 1 or 0'])
})

it.each([
  ['DEV_OUTBOX', '1', '0'],
  ['BCRYPT_COST', '11', '12'],
  ['FIRMWARE_PROVE_S', '119', '120']
])('%s=%s is refused in production, %s is not', (name, value, accepted) => {
  const inProduction = (text: string) => faultsOf({ NODE_ENV: 'production', [name]: text })
  expect(inProduction(value)).toEqual([expect.stringContaining(name)])
  expect([inProduction(accepted), faultsOf({ [name]: value })]).toEqual([[], []])
})

it('without a setting, limits and periods are those that clients and boards count on', () => {
  expect(readConfig(settings)).toMatchObject({
    PORT: 49_998,
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: 49_999,
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: 9464,
    DRAIN_MS: 5000,
    DEV_OUTBOX: false,
    AUDIT_LOG_DAYS: 400,
    ACTION_LOG_DAYS: 180,
    SILENT_MINUTES: 1440,
    LIMIT_COMMANDS: 20,
    LIMIT_JOINS: 600,
    LIMIT_REPORTS: 20,
    LIMIT_DEVICE_REFUSALS: 10,
    FIRMWARE_PROVE_S: 120,
    ROLLOUT_APPROVAL: false
  })
})

it('the first admin needs an e-mail address', () => {
  const withEmail = (ADMIN_EMAIL: string) => faultsOf({ ADMIN_EMAIL, ADMIN_PASSWORD: 'a door of seven locks' })
  expect(withEmail('chief').join(' ')).toContain('ADMIN_EMAIL must be an e-mail address')
  expect(withEmail('chief@example.com')).toEqual([])
})

it.each([
  ['PUBLIC_URL', 'https://home.example.com/batti/'],
  ['MQTT_URL', 'mqtts://[::1]:8883'],
  ['MQTT_URL', 'wss://broker.example.com/mqtt'],
  ['MQTT_CA_FILE', import.meta.filename],
  ['HOST', '::'],
  ['HOST', 'fe80::1%eth0'],
  ['METRICS_HOST', 'batti-api_1.internal'],
  ['SMTP_URL', 'smtps://user%40example.com:p%23ss@mail.example.com:465/?pool=true'],
  ['S3_ENDPOINT', 'http://minio:9000'],
  ['SMS_URL', 'https://gateway.example.com/send?to={number}&text={text}'],
  ['DATA_KEY_PREVIOUS', [1, 2].map(() => testSecrets().DATA_KEY).join(', ')],
  ['TRUST_PROXY', 'loopback, uniquelocal,203.0.113.7, fd00::/8,10.0.0.0/255.0.0.0'],
  ['WEB_DIR', join(import.meta.dirname, '../../../web')]
])('%s=%s is accepted', (name, value) => {
  expect(faultsOf({ [name]: value })).toEqual([])
})

it('a text message is sent by the address, or by the template beside it', () => {
  const SMS_URL = 'https://gateway.example.com/v1/sms'
  expect(faultsOf({ SMS_URL })).toEqual([expect.stringContaining('{text}')])
  expect(faultsOf({ SMS_URL, SMS_TEMPLATE: '{"recipient":{number},"message":"{text}"}' })).toEqual([])
})

it('names and addresses are accepted in the usual spellings', () => {
  for (const MQTT_PUBLIC_HOST of ['mqtt.example.org', '192.168.1.7', '2001:db8::7', '[2001:db8::7]'])
    expect(faultsOf({ MQTT_PUBLIC_HOST })).toEqual([])
  expect(faultsOf({ ALLOWED_HOSTS: 'house, house.local:8080, [2001:db8::7],' })).toEqual([])
  expect(faultsOf({ CORS_ORIGINS: 'http://localhost:5173, capacitor://localhost' })).toEqual([])
  for (const MAIL_FROM of ['a@example.org', '"Batti, home" <a@example.org>'])
    expect(faultsOf({ MAIL_FROM })).toEqual([])
})

it('PUBLIC_URL is normalized as by browsers, so that its beginning can be compared and paths appended', () => {
  expect(readConfig({ ...settings, PUBLIC_URL: 'HTTPS://House.example/' }).PUBLIC_URL).toBe('https://house.example')
})

it('a blank value counts as not set: it turns no limit off', () => {
  const blank = readConfig({ ...settings, LIMIT_CALLS: ' ', LIMIT_REPORTS: '\t', PORT: '  ', SMTP_URL: ' ' })
  expect(blank).toEqual(readConfig(settings))
})

it('addresses and networks are accepted for the account of the api', () => {
  const config = readConfig({ ...settings, MQTT_SERVICE_NETWORKS: '192.0.2.7, 10.0.0.0/8,fd00::/8' })
  expect(config.MQTT_SERVICE_NETWORKS).toEqual(['192.0.2.7', '10.0.0.0/8', 'fd00::/8'])
})

it.each([
  ['JWT_SECRET', 'z'.repeat(40)],
  ['INTERNAL_SECRET', '0123'.repeat(10)],
  ['DATA_KEY', Buffer.alloc(32, 7).toString('base64')]
])('%s of a few different characters is refused, however long', (name, value) => {
  expect(faultsOf({ [name]: value }).join(' ')).toMatch(new RegExp(`^${name}:? repeats`))
})

it('turning reports and claims off turns off what depends on them, unless that is set', () => {
  const limits = (more: Record<string, string>) => {
    const { LIMIT_BOARDS, LIMIT_LOG_ROWS } = readConfig({ ...settings, ...more })
    return [LIMIT_BOARDS, LIMIT_LOG_ROWS]
  }
  expect(limits({})).toEqual([100, 60])
  expect(limits({ LIMIT_CLAIMS: '0', LIMIT_REPORTS: '0' })).toEqual([0, 0])
  expect(limits({ LIMIT_CLAIMS: '0', LIMIT_REPORTS: '0', LIMIT_BOARDS: '5', LIMIT_LOG_ROWS: '7' })).toEqual([5, 7])
})
