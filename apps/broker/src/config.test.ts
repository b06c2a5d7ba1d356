import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const good = {
  // Their contents are read later.
  MQTT_TLS_CERT_FILE: import.meta.filename,
  MQTT_TLS_KEY_FILE: import.meta.filename,
  INTERNAL_SECRET: '5f1d7e0b8c2a49d6b3e871fa60c4d925'
}

describe('the config', () => {
  it('has defaults for everything but the certificate and the secret', () => {
    const read = readConfig(good)
    expect(read).toMatchObject({
      ok: true,
      config: { mqttHost: '127.0.0.1', mqttPort: 8883, httpPort: 18083, packetsPerSecond: 100, packetsBurst: 200 }
    })
    expect(read.ok && read.config.authUrls.map(String)).toEqual(['http://127.0.0.1:49999/internal/mqtt/auth'])
    expect(read.ok && read.config.authBatchUrls).toEqual([])
  })

  it('takes the hooks of several apis', () => {
    const read = readConfig({ ...good, MQTT_AUTH_URL: 'http://api1:49999/one, http://api2:49999/one' })
    expect(read.ok && read.config.authUrls.map(({ host }) => host)).toEqual(['api1:49999', 'api2:49999'])
  })

  it('takes whole numbers in digits, and a host alone', () => {
    const faultsOf = (more: Record<string, string>) => {
      const read = readConfig({ ...good, ...more })
      return read.ok ? [] : read.faults
    }
    expect(faultsOf({ MQTT_PORT: '0x22b3' })).toEqual(['MQTT_PORT: must be a whole number'])
    expect(faultsOf({ MQTT_PACKETS_BURST: '1e9' })).toEqual(['MQTT_PACKETS_BURST: must be a whole number'])
    expect(faultsOf({ MQTT_AUTH_URL: 'api:49999' })).toEqual(['MQTT_AUTH_URL: must be http://… or https://…'])
    expect(faultsOf({ MQTT_AUTH_BATCH_URL: 'http://api1/many, api2' })).toHaveLength(1)
    expect(faultsOf({ MQTT_HOST: 'any host' })).toEqual([
      'MQTT_HOST: must be a name or an address alone, for example 127.0.0.1 or ::'
    ])
    expect(faultsOf({ MQTT_HOST: '::', BROKER_HTTP_HOST: 'broker', MQTT_PACKETS_BURST: ' 300 ' })).toEqual([])
  })

  it('names all errors at once', () => {
    const read = readConfig({
      MQTT_PORT: '99999',
      MQTT_AUTH_URL: 'nonsense',
      MQTT_AUTH_BATCH_URL: 'ftp://api',
      INTERNAL_SECRET: 'short',
      MQTT_TLS_KEY_FILE: ''
    })
    expect(read.ok).toBe(false)
    const names = read.ok ? [] : read.faults.map((fault) => fault.split(':')[0])
    expect(new Set(names)).toEqual(
      new Set([
        'INTERNAL_SECRET',
        'MQTT_AUTH_BATCH_URL',
        'MQTT_AUTH_URL',
        'MQTT_PORT',
        'MQTT_TLS_CERT_FILE',
        'MQTT_TLS_KEY_FILE'
      ])
    )
  })

  it.each(['', 'a'.repeat(32), `change-me-${good.INTERNAL_SECRET}`])('refuses the secret "%s"', (secret) => {
    expect(readConfig({ ...good, INTERNAL_SECRET: secret }).ok).toBe(false)
  })

  it('names files that cannot be read', () => {
    const read = readConfig({ ...good, MQTT_TLS_CERT_FILE: '/nowhere/cert.pem', MQTT_TLS_KEY_FILE: '/nowhere/key.pem' })
    expect(read.ok ? [] : read.faults).toEqual([
      'MQTT_TLS_CERT_FILE: names a file that cannot be read',
      'MQTT_TLS_KEY_FILE: names a file that cannot be read'
    ])
  })

  it('turns the packet limit off with 0', () => {
    const read = readConfig({ ...good, MQTT_PACKETS_PER_SECOND: '0' })
    expect(read.ok && read.config.packetsPerSecond).toBe(0)
  })
})
