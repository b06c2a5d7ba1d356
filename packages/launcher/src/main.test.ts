import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@batti/client/client'
import { listUnauthorizedLogs, login } from '@batti/contracts'
import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { until as untilWithin } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleFolder, bundleIn, isBundled, makeBundles, programs } from './bundle/bundles.ts'
import { freePort } from './ports.ts'
import { readJsonObject } from './data/private-file.ts'

const main = join(import.meta.dirname, 'main.ts')
const patientMs = 120_000

interface Line {
  web: string
  broker: string
  ca: string
  outbox: string | null
  wall: string
  accounts: { role: string; email: string; password: string }[]
  pids: { api: number; broker: number; database: number; boards: number }
}

interface Run {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with its first line on stdout, in which it says what it has started. @throws Error when it ends before. */
  line: Promise<Line>
  ended: Promise<unknown>
}

function run(args: string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, NODE_ENV: 'development', MONGODB_URI: '', SMTP_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let [stdout, stderr] = ['', '']
  const { promise: line, resolve, reject } = Promise.withResolvers<Line>()
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    if (stdout.includes('\n')) resolve(JSON.parse(stdout) as Line)
  })
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
  child.once('close', () => reject(new Error(stderr)))
  line.catch(() => undefined)
  return { child, stdout: () => stdout, stderr: () => stderr, line, ended: once(child, 'close') }
}

/** A part that is started anew on a busy machine takes long. */
const until: typeof untilWithin = (what, probe) => untilWithin(what, probe, patientMs)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    // A child that ended still has its process id until it is reaped.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** By which the sessions of this file are told from those of the launcher. */
const userAgent = 'main.test.ts'
async function logIn(web: string, email: string, password: string): Promise<{ status: number; token: string }> {
  const answer = await fetch(`${web}/api/v1/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ email, password })
  })
  const body = (await answer.json()) as { data?: { accessToken: string } }
  return { status: answer.status, token: body.data?.accessToken ?? '' }
}

async function devicesOf(line: Line): Promise<{ setName: string; isOnline: boolean; deviceMac: string }[]> {
  const user = line.accounts.find(({ role }) => role === 'user')
  const { token } = await logIn(line.web, user?.email ?? '', user?.password ?? '')
  const answer = await fetch(`${line.web}/api/v1/devices`, { headers: { authorization: `Bearer ${token}` } })
  const body = (await answer.json()) as { devices?: { setName: string; isOnline: boolean; deviceMac: string }[] }
  return body.devices ?? []
}

const allOnline = async (line: Line): Promise<boolean> => {
  const devices = await devicesOf(line).catch(() => [])
  return devices.length === 4 && devices.every(({ isOnline }) => isOnline)
}

const root = join(import.meta.dirname, '../../..')
/** Of the programs that all starts use. A start that had to make it would say so. */
const bundles = bundleFolder(root)

beforeAll(async () => {
  if (!isBundled(bundles)) await makeBundles({ root, folder: bundles }, new Date())
}, 3 * patientMs)

it('bundles its programs without an import that loads the client behind fetch', () => {
  const texts = globSync('**/*.mjs', { cwd: bundles }).map((path) => readFileSync(join(bundles, path), 'utf8'))
  expect(texts.filter((text) => text.includes('createServer')).length).toBeGreaterThan(3)
  expect(texts.flatMap((text) => text.match(/from ?["'](?:node:)?http["']/g) ?? [])).toEqual([])
})

it('bundles a home that loads the client of S3 only where it is set', () => {
  const start = bundleIn(bundles, programs.homeProgram)
  const cwd = dirname(start)
  const loading = globSync('*.cjs', { cwd }).filter((name) =>
    readFileSync(join(cwd, name), 'utf8').includes('require("@aws-sdk/client-s3")')
  )
  expect(loading).toHaveLength(1)
  expect(loading).not.toContain(basename(start))
})

const layouts = [
  { name: 'apart', env: { ONE_PROCESS: '0' }, dies: 'The broker' },
  { name: 'in one process', env: { ONE_PROCESS: '1' }, dies: 'The home' }
]

describe.each(layouts)('npm start, $name', { timeout: 3 * patientMs }, ({ env, dies }) => {
  let data: string
  let first: Run | undefined
  /** What a test has changed of the product since it was started: a process that it killed, or the reader of its output. */
  const changed = new Set<'broker' | 'boards' | 'output'>()

  async function start(): Promise<{ product: Run; line: Line }> {
    const mqttPort = String(await freePort())
    first = run(['--json', '--data', data, '--port', '0', '--mqtt-port', mqttPort], env)
    changed.clear()
    return { product: first, line: await first.line }
  }
  async function end(): Promise<void> {
    first?.child.kill('SIGINT')
    await first?.ended
  }
  /** Returns the product that runs. Starts one if none does, or if one of `needed` has changed. */
  async function started(...needed: ('broker' | 'boards' | 'output')[]): Promise<{ product: Run; line: Line }> {
    const isAsNeeded = !needed.some((part) => changed.has(part))
    if (first?.child.exitCode === null && first.child.signalCode === null && isAsNeeded)
      return { product: first, line: await first.line }
    await end()
    return start()
  }

  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'batti-start-'))
  })

  afterAll(async () => {
    first?.child.kill('SIGKILL')
    await first?.ended
    rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  it('ends with one line that says where everything is', async () => {
    const { product, line } = await started('broker', 'boards')
    expect(product.stdout().trim().split('\n')).toHaveLength(1)
    expect(line.accounts.map(({ role }) => role)).toEqual(['user', 'admin', 'monitor'])
    expect(Object.values(line.pids).every(isAlive)).toBe(true)
    expect(readFileSync(line.ca, 'utf8')).toContain('BEGIN CERTIFICATE')
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect((await fetch(`${line.web}/readyz`)).status).toBe(200)
    expect((await fetch(line.wall)).status).toBe(200)
    expect((await fetch(line.outbox ?? '', { headers: { accept: 'application/json' } })).status).toBe(200)
    expect(await (await fetch(line.web)).text()).toContain('<div id="root"')
  })

  it('prints passwords with which each of its people can log in, and has not logged in itself', async () => {
    const { line } = await started()
    for (const { email, password } of line.accounts) {
      const { status, token } = await logIn(line.web, email, password)
      expect(status).toBe(200)
      const answer = await fetch(`${line.web}/api/v1/user/sessions`, { headers: { authorization: `Bearer ${token}` } })
      const { sessions } = (await answer.json()) as { sessions: { userAgent: string }[] }
      expect([...new Set(sessions.map((session) => session.userAgent))]).toEqual([userAgent])
    }
  })

  it('has a home with four boards that are online', async () => {
    const { line } = await started()
    const devices = await until('four boards online', async () => {
      const list = await devicesOf(line)
      return list.length === 4 && list.every(({ isOnline }) => isOnline) ? list : null
    })
    expect(devices.map(({ setName }) => setName).toSorted()).toEqual([
      'Bedroom wall',
      'Kitchen ceiling',
      'Kitchen counter strip',
      'Living room wall'
    ])
  })

  it('has a week of history in its log and charts, and the wall shows the names of switches', async () => {
    const { line } = await started()
    const user = line.accounts.find(({ role }) => role === 'user')
    const { token } = await logIn(line.web, user?.email ?? '', user?.password ?? '')
    const read = async (path: string) =>
      (await fetch(`${line.web}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    const { switches } = (await read('switch-on-times')) as {
      switches: { switchName: string; days: { seconds: number }[] }[]
    }
    const purifier = switches.find(({ switchName }) => switchName === 'Water purifier')
    expect(purifier?.days.filter(({ seconds }) => seconds > 3600).length).toBeGreaterThanOrEqual(5)
    const { logs } = (await read('switch-action-logs?from=schedule')) as { logs: { cause: { scheduleId?: string } }[] }
    expect(logs[0]?.cause.scheduleId).toMatch(/^[0-9a-f]{24}$/)
    const wall = (await (await fetch(new URL('/api/boards', line.wall))).json()) as {
      boards: { outlets: { label: string }[] }[]
    }
    expect(wall.boards.flatMap(({ outlets }) => outlets.map(({ label }) => label))).toContain('Water purifier')
    expect(await (await fetch(line.wall)).text()).toContain(`href="${line.web}/"`)
  })

  it('refuses a second launcher on the same folder, in one sentence', async () => {
    await started()
    const second = run(['--json', '--data', data, '--port', '0', '--mqtt-port', '0'])
    await second.ended
    expect(second.child.exitCode).toBe(1)
    expect(second.stdout()).toBe('')
    expect(second.stderr().trim()).toMatch(/^Batti is already running on .*\.$/)
  })

  it('reports that the broker was killed and restarts it, and the boards reconnect', async () => {
    const { product, line } = await started('broker', 'output')
    changed.add('broker')
    process.kill(line.pids.broker, 'SIGKILL')
    await until('the broker back', () => product.stderr().includes(`${dies} is back`))
    const words = new RegExp(`${dies} died \\(killed by SIGKILL\\).*Starting it again in 0\\.\\d s\\.`)
    expect(product.stderr()).toMatch(words)
    await until('all boards online again', () => allOnline(line))
  })

  it.runIf(process.platform === 'linux')(
    'continues when the disk is too full to record what runs, and reports it once',
    async () => {
      const { product, line } = await started('boards', 'output')
      changed.add('boards')
      const draft = join(data, 'run.json.new')
      symlinkSync('/dev/full', draft)
      process.kill(line.pids.boards, 'SIGKILL')
      await until('the boards back', () => product.stderr().includes('The board simulator is back'))
      rmSync(draft)
      expect(product.stderr().match(/could not be noted: ENOSPC/g)).toHaveLength(1)
      await until('all boards online again', () => allOnline(line))
    }
  )

  it('continues when nobody reads its output any more', async () => {
    const { product, line } = await started()
    const parts = partsNow(data).filter(isAlive)
    for (const part of ['broker', 'boards', 'output'] as const) changed.add(part)
    product.child.stderr?.destroy()
    for (const pid of parts) process.kill(pid, 'SIGKILL')
    await until('other parts in their place', () => partsNow(data).some((pid) => !parts.includes(pid) && isAlive(pid)))
    await until('all boards online again', () => allOnline(line))
    expect(product.child.exitCode).toBeNull()
  })

  // How long each part may take is for the test of the supervisor, which has a clock of its own.
  it('stops on request, and leaves no process behind', async () => {
    const { product, line } = await started()
    const pids = [...Object.values(line.pids), ...partsNow(data)]
    await end()
    expect(product.child.exitCode).toBe(0)
    await until('all parts gone', () => !pids.some(isAlive))
  })

  it('restarts with the same people and boards, also when the broker has moved to another port', async () => {
    const before = await (first ?? (await start()).product).line
    await end()
    const { line } = await start()
    expect(line.accounts).toEqual(before.accounts)
    expect(line.broker).not.toBe(before.broker)
    await until('all boards online', () => allOnline(line))
  })

  it('ends its parts when it is killed, and leaves neither their ports nor the database’s socket', async () => {
    const { product, line } = await started()
    const pids = [...Object.values(line.pids), ...partsNow(data)]
    const socket = join(data, 'db', 'mongo.sock')
    expect(existsSync(socket)).toBe(true)
    product.child.kill('SIGKILL')
    await product.ended
    await until('all parts gone', () => !pids.some(isAlive))
    expect(existsSync(socket)).toBe(false)
    for (const url of [line.web, line.broker, line.wall]) await listenOnce(Number(new URL(url).port))
  })
})

/** What an admin finds under *Unauthorized Logs*. */
async function refusals(web: string, { email, password }: Line['accounts'][number]) {
  const api = createClient({ base: web })
  const { accessToken } = await api.call(login, { body: { email, password } })
  return (await api.as(accessToken).call(listUnauthorizedLogs)).logs
}

describe("npm start with the user's own admin", { timeout: 3 * patientMs }, () => {
  it('makes the demo home with that admin, prints valid log-ins, and shows no codes on the local network', async () => {
    const data = mkdtempSync(join(tmpdir(), 'batti-start-'))
    const own = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'a door of seven locks' }
    const start = async (args: string[], env: Record<string, string>): Promise<Line & { stderr: string }> => {
      const started = run(['--json', '--data', data, '--port', '0', '--mqtt-port', '0', ...args], env)
      const { child, ended, stderr } = started
      const line = await started.line
      for (const { email, password } of line.accounts) expect((await logIn(line.web, email, password)).status).toBe(200)
      const admin = line.accounts.find(({ role }) => role === 'admin')
      if (admin !== undefined) expect(await refusals(line.web, admin)).toEqual([])
      const outbox = await fetch(`${line.web}/dev/outbox`, { headers: { accept: 'application/json' } })
      expect(outbox.status).toBe(args.includes('--lan') ? 404 : 200)
      expect(line.outbox === null).toBe(args.includes('--lan'))
      child.kill('SIGTERM')
      await ended
      return { ...line, stderr: stderr() }
    }
    try {
      const first = await start(['--lan'], own)
      expect(first.accounts.map(({ role }) => role)).toEqual(['user', 'admin', 'monitor'])
      expect(first.accounts[1]).toEqual({ role: 'admin', email: own.ADMIN_EMAIL, password: own.ADMIN_PASSWORD })
      expect(first.stderr).not.toContain('not complete')
      // A password that the user chose is not stored.
      const known = readJsonObject(join(data, 'known-accounts.json')) ?? {}
      const ours = first.accounts.filter(({ email }) => email !== own.ADMIN_EMAIL)
      expect(Object.keys(known)).toEqual(ours.map(({ email }) => email))
      const later = await start([], { ADMIN_EMAIL: 'other@example.com', ADMIN_PASSWORD: own.ADMIN_PASSWORD })
      expect(later.accounts.map(({ role }) => role)).toEqual(['user', 'monitor'])
      expect(later.stderr).toContain('other@example.com has no account here')
    } finally {
      rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  })
})

describe.runIf(process.platform !== 'win32')('npm, which runs it in a shell', { timeout: 3 * patientMs }, () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('ends everything with it at %s', async (signal) => {
    const data = mkdtempSync(join(tmpdir(), 'batti-npm-'))
    const options = ['--json', '--empty', '--data', data, '--port', '0', '--mqtt-port', '0']
    const npm = spawn('npm', ['start', '--silent', '--', ...options], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'development', MONGODB_URI: '', SMTP_URL: '' },
      stdio: ['ignore', 'pipe', 'ignore']
    })
    try {
      const [line] = (await once(createInterface({ input: npm.stdout }), 'line')) as [string]
      const pids = Object.values((JSON.parse(line) as Line).pids)
      expect(pids.every(isAlive)).toBe(true)
      npm.kill(signal)
      await until('all parts gone', () => !pids.some(isAlive))
      await until('the folder free', () => !existsSync(join(data, 'run.json')))
    } finally {
      npm.kill('SIGKILL')
      rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  })
})

/** @throws Error when another process listens there. */
async function listenOnce(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
}

/** The processes that the launcher reports as running. */
function partsNow(data: string): number[] {
  return (JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { parts: number[] }).parts
}

describe('npm run dev', { timeout: 3 * patientMs }, () => {
  it('serves a page with the address at which boards find the broker', async () => {
    const data = mkdtempSync(join(tmpdir(), 'batti-dev-'))
    const mqttPort = String(await freePort())
    const { child, ended, line } = run(
      ['--dev', '--empty', '--json', '--data', data, '--port', '0', '--mqtt-port', mqttPort],
      { BRAND: 'ujyalo' }
    )
    try {
      const { web } = await line
      const page = await (await fetch(web)).text()
      expect(page).toContain('/@vite/client')
      expect(page).toContain(`<meta name="batti-mqtt-port" content="${mqttPort}" />`)
      expect(page).toContain('<meta name="batti-brand" content="ujyalo" />')
    } finally {
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  })
})

describe('npm start that fails', { timeout: patientMs }, () => {
  async function sentenceOf(args: string[], env: Record<string, string> = {}): Promise<string> {
    const data = mkdtempSync(join(tmpdir(), 'batti-start-'))
    try {
      const { child, ended, stderr, stdout } = run(['--data', data, '--port', '0', '--mqtt-port', '0', ...args], env)
      await ended
      expect(child.exitCode).toBe(1)
      expect(stdout()).toBe('')
      const said = stderr().trim()
      expect(said.split('\n')).toHaveLength(1)
      return said
    } finally {
      rmSync(data, { recursive: true, force: true })
    }
  }

  it('names an unknown option', async () => {
    expect(await sentenceOf(['--prot', '1'])).toBe('There is no option --prot. See npm start -- --help.')
  })

  it('names it before it prepares anything', () => {
    const nothingIsReady = "data:text/javascript,Object.defineProperty(process, 'version', { value: 'v0' })"
    const { stderr } = runToEnd(process.execPath, ['--import', nothingIsReady, main, '--prot'])
    expect(stderr).toBe('There is no option --prot. See npm start -- --help.\n')
  })

  it.each(['--port', '--mqtt-port'])('names a port in use: %s', async (option) => {
    const stranger = createServer().listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    expect(await sentenceOf([option, String(port)])).toContain(`Port ${port} is in use`)
    stranger.close()
  })

  it.each(['', '/below'])('reports that a file is in the way of its data folder (at “%s”)', async (below) => {
    const path = `${import.meta.filename}${below}`
    expect(await sentenceOf(['--data', path])).toBe(
      `${path} cannot be the data folder, a file is in the way: choose another one with --data.`
    )
  })

  it.runIf(process.platform === 'linux').each(['/proc/x', '/proc/x/below', '/proc'])(
    'reports that nothing can be stored in %s',
    async (path) => {
      expect(await sentenceOf(['--data', path])).toMatch(
        new RegExp(
          `^${path} cannot be the data folder, it cannot be written to \\(E[A-Z]+\\): (?:give it .*, or )?choose another one with --data.$`
        )
      )
    }
  )

  it.runIf(process.platform === 'linux').each(['run.json', 'secrets.json'])(
    'reports that the disk is full when it cannot store its %s',
    async (file) => {
      const full = testFolder('full')
      symlinkSync('/dev/full', join(full, `${file}.new`))
      const said = await sentenceOf(['--data', full])
      expect(said).toBe(`The disk is full: nothing more can be kept in ${full}. Make room, and try again.`)
    }
  )

  it('names a certificate whose other half is missing', async () => {
    expect(await sentenceOf([], { MQTT_TLS_KEY_FILE: '/etc/batti/key.pem' })).toBe(
      'MQTT_TLS_KEY_FILE is set alone: a certificate needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE.'
    )
  })

  it('names a CA that does not belong to the certificate made here', async () => {
    expect(await sentenceOf([], { MQTT_CA_FILE: '/etc/batti/ca.pem' })).toBe(
      'MQTT_CA_FILE is set alone: it is the CA of MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE. Leave it out for a certificate that is made here.'
    )
  })

  it('names missing secrets in production', async () => {
    expect(await sentenceOf([], { NODE_ENV: 'production' })).toContain('JWT_SECRET')
  })
})
