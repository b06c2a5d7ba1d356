import { isRecord, parseJson } from '@batti/kit/json'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Account {
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
  accounts: Account[]
  /** Its folder: secrets, certificates, logs, the database. */
  data: string
  pids: { api: number; broker: number; database: number; boards: number }
  /** What the launcher told people so far. */
  said(): string
  stop(): Promise<void>
}

/** The log-in of a role. @throws Error where nobody has it. */
export function accountOf({ accounts }: Pick<Product, 'accounts'>, role: string): Account {
  const account = accounts.find((each) => each.role === role)
  if (account === undefined) throw new Error(`The product has no ${role}.`)
  return account
}

export interface StartOptions {
  /** Without the demo home. */
  empty?: boolean
  /** A folder of the caller's own: it stays when the product stops. */
  data?: string
  env?: Readonly<Record<string, string>>
}

const launcher = join(import.meta.dirname, '../main.ts')
/** A run that is cut off takes the product with it. */
export const parentWatchdog = new URL('../parts/parent-watchdog.ts', import.meta.url).href

/**
 * What a process needs of the shell that it was started from. Settings are not among it: an `ADMIN_EMAIL` of whoever runs
 * the tests is no setting of the product under test.
 */
export function plainEnv(): Record<string, string> {
  const kept =
    /^(PATH|HOME|TMPDIR|TMP|TEMP|LANG|LC_\w+|TZ|USER|SYSTEMROOT|APPDATA|LOCALAPPDATA|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|TURBO_\w+)$/i
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      kept.test(name) && value !== undefined ? [[name, value]] : []
    )
  )
}

/** Starts the product in a folder and on ports of its own. @throws Error with the launcher's words when it does not start. */
export async function startProduct(options: StartOptions = {}): Promise<Product> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'batti-product-')))
  try {
    return await startIn(data, options)
  } catch (error) {
    // A port that was free when it was chosen may be another product's by the time it is used.
    if (!(error instanceof Error && /port \d+ on \S+ is in use/i.test(error.message))) throw error
    return startIn(data, options)
  }
}

async function startIn(data: string, { empty = false, data: ownData, env = {} }: StartOptions): Promise<Product> {
  const args = ['--json', '--data', data, '--port', '0', '--mqtt-port', '0', ...(empty ? ['--empty'] : [])]
  const child: ChildProcess = spawn(process.execPath, ['--import', parentWatchdog, launcher, ...args], {
    env: { ...plainEnv(), NODE_ENV: 'development', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  const ended = once(child, 'close')
  const line = await firstLine(child)
  if (line === null) throw new Error(`The product did not start:\n${said}`)
  const { broker, ca, ...rest } = readLine(line)
  const { hostname, port } = new URL(broker)
  return {
    ...rest,
    data,
    broker: { host: hostname, port: Number(port), caPem: await readFile(ca, 'utf8') },
    said: () => said,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended
      if (ownData === undefined) await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  }
}

/** What a process says first on stdout; null when it ends before. */
function firstLine(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('close', () => resolve(null))
  })
}

type StartLine = Pick<Product, 'web' | 'outbox' | 'wall' | 'accounts' | 'pids'> & { broker: string; ca: string }

function readLine(text: string): StartLine {
  const line = parseJson(text)
  if (!isRecord(line)) throw new Error(`The launcher's first line is not its report: ${text}`)
  return line as unknown as StartLine
}
