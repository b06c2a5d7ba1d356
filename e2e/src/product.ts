import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Person {
  role: string
  email: string
  password: string
}

/** The product as a stranger started it: what its one line says, and how to stop it. */
export interface Product {
  web: string
  broker: { host: string; port: number; caPem: string }
  outbox: string
  wall: string
  accounts: Person[]
  /** Its folder: secrets, certificates, logs, the database. */
  data: string
  pids: { api: number; broker: number; database: number; boards: number }
  /** What the launcher told people so far. */
  said(): string
  stop(): Promise<void>
}

const launcher = join(import.meta.dirname, '../../packages/launcher/src/main.ts')
/** A run that is cut off takes the product with it. */
const leash = new URL('../../packages/launcher/src/leash.ts', import.meta.url).href

/** Starts the product in a folder and on ports of its own. `empty`: without the demo home. */
export async function startProduct({
  empty = false,
  env = {}
}: { empty?: boolean; env?: Record<string, string> } = {}) {
  const data = await mkdtemp(join(tmpdir(), 'batti-e2e-'))
  const args = ['--json', '--data', data, '--port', '0', '--mqtt-port', '0', ...(empty ? ['--empty'] : [])]
  const child = spawn(process.execPath, ['--import', leash, launcher, ...args], {
    env: { ...process.env, NODE_ENV: 'development', MONGODB_URI: '', SMTP_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  let said = ''
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The launcher has no pipes.')
  stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  const ended = once(child, 'close')
  const text = await Promise.race([
    once(createInterface({ input: stdout }), 'line').then(([line]) => String(line)),
    ended.then(() => null)
  ])
  if (text === null) throw new Error(`The product did not start:\n${said}`)
  const line = JSON.parse(text) as Omit<Product, 'broker' | 'said' | 'stop'> & { broker: string; ca: string }
  const broker = new URL(line.broker)
  const product: Product = {
    ...line,
    broker: { host: broker.hostname, port: Number(broker.port), caPem: await readFile(line.ca, 'utf8') },
    said: () => said,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended
      await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  }
  return product
}
