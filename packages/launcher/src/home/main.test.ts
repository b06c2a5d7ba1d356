import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainEnv } from '../testing/start-product.ts'

it('names all wrong settings of the api and of the broker at once', () => {
  const env = { ...plainEnv(), BRAND: 'northwind', MQTT_PACKETS_BURST: 'many' }
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], { env })
  const said = stderr.toString()
  expect(status, said).toBe(1)
  for (const name of ['- JWT_SECRET', '- BRAND', 'broker: MQTT_TLS_CERT_FILE', 'broker: MQTT_PACKETS_BURST'])
    expect(said).toContain(name)
}, 60_000)
