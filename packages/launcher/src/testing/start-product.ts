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

/** A started product: the facts of its JSON line, and a way to stop it. */
export interface Product {
  web: string
  broker: { host: string; port: number; caPem: string }
  outbox: string
  wall: string
  accounts: Account[]
  /** Its folder: secrets, certificates, logs, the database. */
  data: string
  pids: { api: number; broker: number; database: number; boards: number }
  /** The process that starts them again when they end. */
  launcher: number
  /** Returns the launcher's messages so far. */
  said(): string
  stop(): Promise<void>
}

/** Returns the account of a role. @throws Error when there is none. */
export function accountOf({ accounts }: Pick<Product, 'accounts'>, role: string): Account {
  const account = accounts.find((each) => each.role === role)
  if (account === undefined) throw new Error(`The product has no ${role}.`)
  return account
}

export interface StartOptions {
  /** Without the demo home. */
  empty?: boolean
  /** The caller's own data folder, which is kept when the product stops. */
  data?: string
  env?: Readonly<Record<string, string>>
}

const launcher = join(import.meta.dirname, '../main.ts')
/** Stops the product when the test run is aborted. */
export const parentWatchdog = new URL('../parts/parent-watchdog.ts', import.meta.url).href

/**
 * Returns the environment variables that a process needs, without settings: an `ADMIN_EMAIL` in the environment of the
 * tests must not affect the product under test.
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

/** Starts the product in its own folder and on free ports. @throws Error with the launcher's output when it does not start. */
export async function startProduct(options: StartOptions = {}): Promise<Product> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'batti-product-')))
  try {
    return await startIn(data, options)
  } catch (error) {
    // A free port may be taken by another product before it is used. Retry once.
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
    launcher: child.pid ?? 0,
    broker: { host: hostname, port: Number(port), caPem: await readFile(ca, 'utf8') },
    said: () => said,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended
      if (ownData === undefined) await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  }
}

/** Returns the first line of a process on stdout; null when it ends before. */
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
