import { expect, it } from 'vitest'
import { readSettings } from '../../config.ts'
import { settingFaults } from './setting-faults.ts'

const faultsOf = (env: Record<string, string>) => settingFaults(readSettings(env))

it('settings that are accepted are no fault, nor are those that npm start makes itself', () => {
  expect(faultsOf({})).toEqual([])
  const own = {
    PUBLIC_URL: 'https://home.example.org',
    LIMIT_BOARDS: '500',
    ADMIN_EMAIL: 'me@example.org',
    MQTT_PACKETS_BURST: '50',
    ONE_PROCESS: '0'
  }
  expect(faultsOf(own)).toEqual([])
})

it.each([
  ['LIMIT_BOARDS', 'many'],
  ['SILENT_MINUTES', '999999'],
  ['JWT_SECRET', 'short'],
  ['INTERNAL_SECRET', 'secret-0123456789abcdefghijklmnopqrstuvwxyz'],
  ['MQTT_PACKETS_PER_SECOND', '-1'],
  ['MQTT_TLS_CERT_FILE', '/etc/cert.pem'],
  ['ONE_PROCESS', 'yes'],
  ['ADMIN_EMAIL', 'admin']
])('%s with a value that is refused is one fault', (name, value) => {
  expect(faultsOf({ [name]: value })).toEqual([
    { what: expect.stringContaining(name), where: 'the environment', do: expect.stringContaining('docs/settings.md') }
  ])
})

it.each([
  ['LIMIT_BOARD', 'LIMIT_BOARDS'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['WEBDIR', 'WEB_DIR']
])('%s is reported as a slip for %s', (name, meant) => {
  expect(faultsOf({ [name]: '1' })).toMatchObject([
    { what: `${name} is no setting, so that nothing reads it`, do: expect.stringContaining(meant) }
  ])
})

it('names of other programs are none of its business', () => {
  expect(
    faultsOf({ PORTS: '1', HOSTNAME: 'pi', HOST_IP: '::1', SMTP_HOST: 'mail', MQTT_USER: 'a', NODE_OPTIONS: '' })
  ).toEqual([])
})
