import { runToEnd } from '@batti/kit/node/testing'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainEnv } from '../testing/start-product.ts'

it('names all wrong settings of the api and of the broker at once', () => {
  const env = { ...plainEnv(), BRAND: 'northwind', MQTT_PACKETS_BURST: 'many' }
  const { status, stderr } = runToEnd(process.execPath, [join(import.meta.dirname, 'main.ts')], { env })
  expect(status, stderr).toBe(1)
  for (const name of ['- JWT_SECRET', '- BRAND', 'broker: MQTT_TLS_CERT_FILE', 'broker: MQTT_PACKETS_BURST'])
    expect(stderr).toContain(name)
})
