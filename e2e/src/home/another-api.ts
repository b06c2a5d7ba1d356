import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@batti/kit/node/ports'
import { parentWatchdog, plainEnv, type Product } from '@batti/launcher/testing/start-product'
import { until } from '@batti/kit/testing'
import { isReady } from '../is-ready.ts'

const repositoryDir = join(import.meta.dirname, '../../..')
const sharedSecrets = ['JWT_SECRET', 'DATA_KEY', 'INTERNAL_SECRET', 'MQTT_SERVICE_PASSWORD']

export interface AnotherApi {
  url: string
  /** Kills the process, as a power cut would. */
  kill(): Promise<void>
}

/** Starts another API process on the database and broker of a running product, as behind a load balancer. */
export async function startAnotherApi(
  product: Pick<Product, 'data' | 'broker'>,
  env: Readonly<Record<string, string>> = {}
): Promise<AnotherApi> {
  const { data, broker } = product
  const secrets = JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8')) as Record<string, string>
  const log = existsSync(join(data, 'logs/home.log')) ? 'home.log' : 'database.log'
  const [databaseLine = ''] = (await readFile(join(data, 'logs', log), 'utf8')).split('\n')
  const { uri } = JSON.parse(databaseLine) as { uri: string }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const api = spawn(process.execPath, ['--import', parentWatchdog, join(repositoryDir, 'apps/api/src/main.ts')], {
    cwd: repositoryDir,
    env: {
      ...plainEnv(),
      ...Object.fromEntries(sharedSecrets.map((name) => [name, secrets[name]])),
      NODE_ENV: 'development',
      LOG_LEVEL: 'error',
      PORT: String(port),
      INTERNAL_PORT: String(await freePort()),
      METRICS_PORT: '0',
      MONGODB_URI: uri,
      DATA_DIR: join(data, 'another-api'),
      MQTT_URL: `mqtts://${broker.host}:${broker.port}`,
      MQTT_CA_FILE: join(data, 'certs/ca.pem'),
      CLUSTER_ADAPTER: 'mongo',
      DEV_OUTBOX: '1',
      ...env
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const ended = once(api, 'exit')
  await until('the other api is ready', async () => {
    if (api.exitCode !== null) throw new Error('The other api ended before it was ready.')
    return isReady(url)
  })
  return {
    url,
    async kill() {
      api.kill('SIGKILL')
      await ended
    }
  }
}
