import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@batti/client/client'
import { login } from '@batti/contracts'
import { startServerProcess } from '@batti/embedded-mongo/testing/server-process'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { plainEnv, startProduct, type Product } from '../testing/start-product.ts'
import { keptNames } from './installation.ts'

const cli = join(import.meta.dirname, 'cli.ts')
const patientMs = 120_000

const home = mkdtempSync(join(tmpdir(), 'batti-upkeep-'))
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

/** Runs the command as a user would. */
function batti(args: string[], env: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [cli, ...args], { env: { ...plainEnv(), ...env } }, (_, out, err) =>
      done({ code: child.exitCode ?? -1, out, err })
    )
  })
}

const faultsOf = async (data: string, env: Record<string, string> = {}): Promise<{ what: string; where: string }[]> => {
  const { code, out, err } = await batti(['doctor', '--json', '--data', data], env)
  const { faults } = JSON.parse(out || `{"faults":"${err}"}`) as {
    faults: { what: string; where: string; do: string }[]
  }
  expect(code).toBe(faults.length === 0 ? 0 : 1)
  for (const fault of faults) expect(fault.do).not.toBe('')
  return faults
}

// One journey: what a step has made, the next one uses.
describe('the upkeep of an installation', { timeout: 4 * patientMs, shuffle: false }, () => {
  let product: Product
  const archive = join(home, 'home.tar.gz')
  const data = join(home, 'restored')
  beforeAll(async () => {
    product = await startProduct()
  }, 2 * patientMs)
  afterAll(() => product.stop())

  it('backs up everything while it runs, into one file that only its owner can read', async () => {
    writeFileSync(join(product.data, 'api', 'picture.webp'), 'a picture')
    const { code, out, err } = await batti(['backup', archive, '--data', product.data])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(archive)
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect(readdirSync(home).filter((name) => name.startsWith('.') || name.endsWith('.partial'))).toEqual([])
    expect(await batti(['backup', archive, '--data', product.data])).toMatchObject({
      code: 1,
      err: expect.stringContaining('never overwrites')
    })
  })

  it('finds no fault in a running installation, and none in a stopped one', async () => {
    expect(await faultsOf(product.data)).toEqual([])
  })

  it('refuses to restore over a running installation', async () => {
    const before = readFileSync(join(product.data, 'secrets.json'), 'utf8')
    const { code, err } = await batti(['restore', archive, '--data', product.data])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/is running on .*\(process \d+\): stop it/) })
    expect(readFileSync(join(product.data, 'secrets.json'), 'utf8')).toBe(before)
  })

  it('refuses a damaged archive before anything is changed', async () => {
    const bytes = readFileSync(archive)
    const middle = bytes.length >> 1
    for (const [name, damaged] of [
      ['cut', bytes.subarray(0, bytes.length - 200)],
      // Packed data may unpack to the same with one flipped bit: so choose another position with the same bytes.
      ['overwritten', Buffer.from(bytes).fill('damage', middle, middle + 100)],
      ['foreign', Buffer.from('this is no archive')]
    ] as const) {
      const file = join(home, `${name}.tar.gz`)
      writeFileSync(file, damaged)
      const { code, err } = await batti(['restore', file, '--data', data])
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/is damaged, or no archive of Batti/) })
      expect(readdirSync(home).filter((entry) => entry.startsWith('restored'))).toEqual([])
    }
  })

  it('restores it beside the running home, and does not use its boards', async () => {
    const proof = join(home, 'proof')
    expect(await batti(['restore', archive, '--data', proof])).toMatchObject({ code: 0 })
    const copy = await startProduct({ data: proof })
    try {
      expect(copy.accounts).toEqual(product.accounts)
      expect(copy.said()).toContain(`is a copy of ${product.data}`)
      // They boot in the background.
      const boards = async () =>
        ((await (await fetch(new URL('/api/boards', copy.wall))).json()) as { boards: object[] }).boards
      const inNoHome = expect.objectContaining({ phase: 'joining', detail: 'No Wi-Fi in reach.' }) as object
      await expect.poll(boards).toEqual(Array(4).fill(inNoHome))
      await expectToggle(product)
    } finally {
      await copy.stop()
      rmSync(proof, { recursive: true })
    }
  })

  it('restores it on an empty machine, where the same people switch the same lamps', async () => {
    const kept = readdirSync(product.data).filter((name) => !['run.json', 'run.lock', 'logs'].includes(name))
    const before = product.accounts
    await product.stop()
    expect(await batti(['restore', archive, '--data', data])).toMatchObject({ code: 0 })
    expect(readdirSync(data).toSorted()).toEqual(kept.toSorted())
    expect(kept.toSorted()).toEqual([...keptNames, 'api', 'db'].toSorted())
    expect(readFileSync(join(data, 'api', 'picture.webp'), 'utf8')).toBe('a picture')
    expect(await faultsOf(data)).toEqual([])

    product = await startProduct({ data })
    expect(product.accounts).toEqual(before)
    await expectToggle(product)
  })

  it('keeps the existing folder when it restores over it', async () => {
    await product.stop()
    writeFileSync(join(data, 'home.json'), '{"kind":"empty"}\n')
    const { code, out } = await batti(['restore', archive, '--data', data])
    const kept = /kept as (.*)\.\n/.exec(out)?.[1] ?? ''
    expect(code).toBe(0)
    expect(readFileSync(join(kept, 'home.json'), 'utf8')).toBe('{"kind":"empty"}\n')
    expect(existsSync(join(kept, 'db', 'batti.db'))).toBe(true)
    expect(readFileSync(join(data, 'home.json'), 'utf8')).not.toBe('{"kind":"empty"}\n')
  })

  it('detects a database that runs on the folder in another container', async () => {
    const there = await startServerProcess(join(data, 'db'), [], {
      ...process.env,
      TMPDIR: mkdtempSync(join(home, 'container-'))
    })
    try {
      const before = readFileSync(join(data, 'secrets.json'), 'utf8')
      const { code, err } = await batti(['restore', archive, '--data', data])
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^The database of .* is running: stop it/) })
      expect(readFileSync(join(data, 'secrets.json'), 'utf8')).toBe(before)
      expect(await faultsOf(data)).toEqual([])
    } finally {
      await there.stop()
    }
  })

  it('moves to another database, which has as many documents, and back', async () => {
    // Another database in place of MongoDB.
    const other = await startServerProcess(mkdtempSync(join(home, 'engine-')), ['--port', '0'])
    try {
      const gone = await batti(['move', other.uri, '--data', data])
      expect({ code: gone.code, err: gone.err }).toEqual({ code: 0, err: '' })
      expect(gone.out).toMatch(/^devices: 4$/m)
      expect(gone.out).toContain('keeps what was in it, in the format of this version')
      const client = await MongoClient.connect(other.uri)
      expect(await client.db().collection('devices').countDocuments()).toBe(4)
      expect((await client.db().collection('devices').indexes()).length).toBeGreaterThan(1)
      await client.close()
      // The database here is the old one: in another place all later changes would be missing.
      const again = await batti(['move', new URL('/second', other.uri).href, '--data', data])
      expect({ code: again.code, err: again.err.trim() }).toEqual({
        code: 1,
        err: expect.stringMatching(/^The data were moved to .* is the one from before .*move back.*moved\.json .*\.$/)
      })
      const moved = join(data, 'moved.json')
      renameSync(moved, `${moved}.aside`)
      expect((await batti(['move', other.uri, '--data', data])).err).toContain('not empty')
      renameSync(`${moved}.aside`, moved)

      product = await startProduct({ data, env: { MONGODB_URI: other.uri } })
      await expectToggle(product)
      const elsewhere = join(home, 'elsewhere.tar.gz')
      const saved = await batti(['backup', elsewhere, '--data', data], { MONGODB_URI: other.uri })
      expect(saved.code).toBe(0)
      expect(saved.out).toContain('mongodump')
      await product.stop()

      // On the old database a second history would begin.
      await expect(startProduct({ data })).rejects.toThrow('The data were moved to')

      expect(await batti(['move', 'back', '--data', data], { MONGODB_URI: other.uri })).toMatchObject({ code: 0 })
      product = await startProduct({ data })
      await expectToggle(product)
    } finally {
      await product.stop()
      await other.stop()
    }
  })

  it('reports wrong keys, rights and certificates', async () => {
    const path = (name: string): string => join(data, name)
    const secrets = readFileSync(path('secrets.json'), 'utf8')
    chmodSync(path('secrets.json'), 0o644)
    chmodSync(path('certs/ca-key.pem'), 0o640)
    writeFileSync(path('certs/broker.pem'), 'no certificate')
    const faults = await faultsOf(data)
    expect(faults.map(({ where }) => where)).toEqual([
      path('secrets.json'),
      path('certs/ca-key.pem'),
      path('certs/broker.pem')
    ])
    writeFileSync(path('secrets.json'), '{"DATA_')
    expect((await faultsOf(data)).map(({ what }) => what)).toContain('The file of the keys is damaged')
    writeFileSync(path('secrets.json'), secrets)
    const key = Buffer.alloc(32, 7).toString('base64')
    expect((await faultsOf(data, { DATA_KEY_PREVIOUS: key })).map(({ what }) => what)).toContain(
      'DATA_KEY_PREVIOUS opens nothing any more'
    )
    expect((await faultsOf(join(home, 'nowhere'))).map(({ what }) => what)).toEqual(['There is no installation'])
  })
})

/** The demo home's user switches a lamp, and the board confirms that it is on (or off). */
async function expectToggle({ web, accounts }: Product): Promise<void> {
  const client = createClient({ base: web })
  const user = accounts.find(({ role }) => role === 'user')
  const { accessToken } = await client.call(login, {
    body: { email: user?.email ?? '', password: user?.password ?? '' }
  })
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
  const [first] = await vi.waitFor(async () => {
    const answer = await fetch(`${web}/api/v1/switches`, { headers })
    const { switches } = (await answer.json()) as { switches: { _id: string; status: boolean; isOnline: boolean }[] }
    const online = switches.filter(({ isOnline }) => isOnline)
    expect(online).not.toEqual([])
    return online
  }, patientMs)
  // A board that was online when the database was copied, and is not back yet, does not receive it.
  const answer = await vi.waitFor(async () => {
    const tried = await fetch(`${web}/api/v1/switches/by-id/${first?._id ?? ''}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ status: !(first?.status ?? false) })
    })
    expect(tried.status).toBe(200)
    return tried
  }, patientMs)
  expect(await answer.json()).toMatchObject({ data: { status: !(first?.status ?? false) } })
}

describe('the upkeep command line', () => {
  it.each([
    [[], 'Say what to do'],
    [['backup'], 'backup needs the name of one file'],
    [['move'], 'move needs the URI of a database'],
    [['destroy'], 'There is no command “destroy”'],
    [['doctor', '--jsn'], 'There is no option --jsn'],
    [['restore', 'x', '--json'], 'Only doctor takes --json']
  ])('names what is wrong with %j', async (args, sentence) => {
    const { code, err } = await batti(args)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(sentence) })
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  // Elsewhere `script`, which brings a terminal, takes other arguments.
  it.runIf(process.platform === 'linux')('shows on a terminal that it is at work', async () => {
    const command = `${process.execPath} ${cli} backup ${join(home, 'x.tar.gz')} --data ${join(home, 'nowhere')}`
    const shown = await new Promise<string>((done) => {
      const terminal = execFile('script', ['-qec', command, '/dev/null'], { env: plainEnv() }, (_, out) => {
        clearInterval(going)
        done(out)
      })
      // It stops itself when its command is stopped, and stays so when that goes on.
      const going = setInterval(() => terminal.kill('SIGCONT'), 100)
    })
    expect(shown).toMatch(/✗ Backing up\s+There is no installation in/)
  })

  it('answers doctor with one JSON object on request, even when it cannot run', async () => {
    const data = mkdtempSync(join(home, 'damaged-'))
    writeFileSync(join(data, 'logs'), 'no folder')
    mkdirSync(join(data, 'secrets.json'))
    const found = await faultsOf(data)
    expect(found.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^This could not be looked at: ENOTDIR/),
      expect.stringMatching(/^This could not be looked at: EISDIR/),
      'There is no database'
    ])
    expect((await faultsOf(join(data, 'logs'))).length).toBeGreaterThan(0)
    const { code, out } = await batti(['doctor', '--json', '--everything'])
    expect({ code, read: JSON.parse(out) as object }).toEqual({
      code: 1,
      read: { faults: [expect.objectContaining({ what: expect.stringContaining('There is no option --everything') })] }
    })
  })

  it('explains itself', async () => {
    const { code, out } = await batti(['--help'])
    expect(code).toBe(0)
    for (const word of ['backup', 'restore', 'move', 'doctor', '--data']) expect(out).toContain(word)
  })
})
