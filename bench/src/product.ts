import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Product {
  web: string
  pids: { api: number; broker: number; database: number; boards: number }
  admin: Person
  caPem: string
  mqttPort: number
  stop(): Promise<void>
}

export interface Person {
  email: string
  password: string
}

interface StartLine {
  web: string
  broker: string
  ca: string
  pids: Product['pids']
  accounts: (Person & { role: string })[]
}

const launcher = join(import.meta.dirname, '../../packages/launcher/src/main.ts')
/** A run that is cut off takes the product with it. */
const leash = new URL('../../packages/launcher/src/leash.ts', import.meta.url).href
/** What keeps strangers from being too fast would keep a benchmark from measuring. */
const limitsOff = {
  LIMIT_COMMANDS: '0',
  LIMIT_JOINS: '0',
  LIMIT_REPORTS: '0',
  LIMIT_CLAIMS: '0',
  MQTT_PACKETS_PER_SECOND: '0'
}

/** Starts the product as anybody would, its limits off and nobody in it but the admin. */
export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const data = await mkdtemp(join(tmpdir(), 'batti-bench-'))
  const args = ['--json', '--empty', '--data', data, '--port', '0', '--mqtt-port', '0']
  const child = spawn(process.execPath, ['--import', leash, launcher, ...args], {
    env: { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'warn', ...limitsOff, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  let said = ''
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The launcher has no pipes.')
  stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000)
  })
  const ended = once(child, 'close')
  const text = await Promise.race([
    once(createInterface({ input: stdout }), 'line').then(([line]) => String(line)),
    ended.then(() => null)
  ])
  if (text === null) throw new Error(`The product did not start:\n${said}`)
  const { web, pids, accounts, ca, broker } = JSON.parse(text) as StartLine
  const admin = accounts.find(({ role }) => role === 'admin')
  if (admin === undefined) throw new Error('The product has no admin.')
  return {
    web,
    pids,
    admin,
    caPem: await readFile(ca, 'utf8'),
    mqttPort: Number(new URL(broker).port),
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended
      await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  }
}
