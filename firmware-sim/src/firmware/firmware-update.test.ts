import { testFolder } from '@batti/kit/node/testing'
import type { Timers } from '@batti/kit/clock'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { keyIdOf, signImage, type TrustedKey } from '@batti/firmware/image-block'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startHouseServer, type HouseServer } from '../../test/house-server.ts'
import { createBoard, type Board } from '../board/board.ts'
import { createSharedResources } from '../board/shared-resources.ts'
import { createSharedTimer } from '../board/shared-timer.ts'
import { factoryRecord, type FlashRecord } from '../board/flash-record.ts'
import { createFileFlash } from '../board/flash.ts'
import { createMemoryImages } from './firmware-images.ts'
import { chooseImage, createUpdater, factoryVersion } from './firmware-update.ts'

const mac = '34:98:7A:0C:51:E2'
const patience = { timeout: 60_000, interval: 10 }
/** What the server offers for download. */
let image: Buffer = randomBytes(300_000)
const sha256 = createHash('sha256').update(image).digest('hex')

let server: HouseServer
let files: Server
let board: Board
let folder = ''
let asked: IncomingHttpHeaders[] = []
/** The number of bytes that an answer sends before the connection breaks; null for all. */
let cutAfter: (number | null)[] = []
let answerStatus: number | null = null

/** The speed-up of a trial's minutes. A trial that is to succeed needs them on a busy machine. */
let hasteOfMinutes = 10

/** The real clock, with all waits ten times as fast. */
function hurriedClock(): Timers {
  const clock = createSharedTimer()
  const hasteOf = (delayMs: number): number => (delayMs < 60_000 ? 10 : hasteOfMinutes)
  return { ...clock, after: (delayMs, run) => clock.after(delayMs / hasteOf(delayMs), run) }
}

const newBoard = (trustedKeys: TrustedKey[] = []): Board =>
  createBoard({
    model: 'BT4',
    mac,
    flash: createFileFlash(folder, mac),
    shared: createSharedResources({ clock: hurriedClock(), trustedKeys })
  })

/** Sends bytes as a slow line does: in parts far smaller than a tenth of the image. */
async function* inParts(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 5000) {
    yield bytes.subarray(from, from + 5000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

beforeEach(async () => {
  asked = []
  cutAfter = []
  answerStatus = null
  hasteOfMinutes = 10
  folder = testFolder('firmware')
  server = await startHouseServer()
  files = createServer((request, response) => {
    asked.push(request.headers)
    if (answerStatus !== null) return void response.writeHead(answerStatus).end()
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const rest = image.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${image.length - 1}/${image.length}` } : {})
    })
    const cut = cutAfter.shift() ?? null
    if (cut === null) Readable.from(inParts(rest)).pipe(response)
    else response.write(rest.subarray(0, cut), () => response.destroy())
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  board = newBoard()
  await board.restorePower()
  await board.when(({ phase }) => phase === 'setup')
  board.configure(server.form())
  await board.when(({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0)
})
afterEach(async () => {
  await board.close()
  files.closeAllConnections()
  files.close()
  await server.close()
})

const port = (): number => (files.address() as AddressInfo).port
const update = (change: object = {}) => ({
  id: 'f1',
  url: `http://127.0.0.1:${port()}/image`,
  version: '1.5.0',
  size: image.length,
  sha256,
  ...change
})
const send = (change: object = {}): void => server.send(board.state().deviceId ?? '', 'firmware-update', update(change))
const progress = () =>
  server.published.filter(({ topic }) => topic === 'firmware-progress').map(({ payload }) => payload)
const ended = (phase: string) => vi.waitFor(() => expect(progress().at(-1)).toMatchObject({ phase }), patience)

describe('an update', () => {
  test('is downloaded with the board’s credential, verified, started and reported, phase by phase', async () => {
    const { bootId, deviceId } = board.state()
    send()
    await ended('done')
    const phases = progress().map(({ phase }) => phase)
    expect([...new Set(phases)]).toEqual(['download', 'verify', 'install', 'reboot', 'done'])
    expect(progress().every(({ id }) => id === 'f1')).toBe(true)
    const downloaded = progress().flatMap(({ phase, percent }) => (phase === 'download' ? [percent] : []))
    expect(downloaded).toEqual([...new Set(downloaded)])
    expect(downloaded.at(-1)).toBe(100)
    expect(board.state()).toMatchObject({ osVersion: '1.5.0', phase: 'online' })
    expect(board.state().bootId).not.toBe(bootId)
    const booted = server.reports().findLast(({ cause }) => cause === 'boot')
    expect(booted).toMatchObject({ osVersion: '1.5.0', bootId: board.state().bootId })
    const [user, password] = Buffer.from(asked[0]?.authorization?.replace('Basic ', '') ?? '', 'base64')
      .toString()
      .split(':')
    expect(user).toBe(deviceId)
    expect(password).toMatch(/^secret-/)
  })

  test('continues by Range when the connection breaks, five times', async () => {
    cutAfter = [50_000, 50_000, 50_000, 50_000, 50_000]
    send()
    await ended('done')
    expect(asked.length).toBe(6)
    expect(asked.slice(1).every(({ range }) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true)
    expect(board.state().osVersion).toBe('1.5.0')
  })

  test.each([
    ['of another content', { sha256: 'a'.repeat(64) }, /SHA-256/],
    ['longer than announced', { size: image.length - 1 }, /larger than the announced/]
  ])('%s fails, and the old version keeps running', async (_, change, error) => {
    send(change)
    await ended('failed')
    expect(progress().at(-1)?.['error']).toMatch(error)
    expect(board.state()).toMatchObject({ osVersion: factoryVersion, phase: 'online' })
    expect(readdirSync(folder)).toEqual(['34987A0C51E2.flash'])
  })

  test("that the server does not offer fails at once, with the server's status, and the next one begins", async () => {
    answerStatus = 403
    send()
    await ended('failed')
    expect(progress().at(-1)?.['error']).toContain('403')
    expect(asked).toHaveLength(1)
    answerStatus = null
    send({ id: 'f2' })
    await ended('done')
    expect(board.state().osVersion).toBe('1.5.0')
  })

  test('from another address is requested without the credential', async () => {
    send({ url: `http://localhost:${port()}/image` })
    await ended('done')
    expect(asked[0]).not.toHaveProperty('authorization')
  })

  test('interrupted by a power cut continues when the power is back', async () => {
    cutAfter = [100_000, 0, 0, 0]
    send()
    await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(2), patience)
    board.cutPower()
    cutAfter = []
    await board.restorePower()
    await ended('done')
    expect(asked.at(-1)?.range).toBe('bytes=100000-')
    expect(board.state().osVersion).toBe('1.5.0')
  })

  test('is still installed after a power cut, and the next one replaces it', async () => {
    send()
    await ended('done')
    board.cutPower()
    await board.restorePower()
    await board.whenOnline()
    expect(board.state().osVersion).toBe('1.5.0')
    send({ id: 'f2', version: '1.6.0' })
    await vi.waitFor(() => expect(progress().at(-1)).toEqual({ id: 'f2', phase: 'done', percent: 100 }), patience)
    expect(board.state().osVersion).toBe('1.6.0')
  })

  test('sent while a version is on trial is not begun: the image on trial stays whole', async () => {
    server.setAcknowledge(false)
    send()
    await board.when(({ osVersion, phase }) => osVersion === '1.5.0' && phase === 'online')
    const before = progress().length
    send()
    await expect.poll(() => progress().slice(before)).toEqual([{ id: 'f1', phase: 'reboot', percent: 100 }])
    send({ id: 'f2', version: '1.6.0' })
    await ended('failed')
    expect(progress().at(-1)).toMatchObject({ id: 'f2', error: expect.stringMatching(/^rejected:/) as string })
    expect(asked).toHaveLength(1)
    server.setAcknowledge(true)
    await ended('done')
    expect(board.state().osVersion).toBe('1.5.0')
  })

  test('that cannot reach the server is rolled back after three starts, and reported', async () => {
    cutAfter = []
    await server.stopBroker()
    await board.when(({ phase }) => phase === 'connecting')
    const flash = createFileFlash(folder, mac)
    await board.close()
    flash.images.append('a', image)
    flash.images.install('a')
    const { record } = flash.load()
    flash.save(
      {
        ...record,
        firmware: {
          ...record.firmware,
          trial: { id: 'f1', slot: 'a', version: '1.5.0', sha256, size: image.length, secureVersion: 0, boots: 0 }
        }
      },
      true
    )
    const versions: string[] = []
    for (let boot = 0; boot < 4; boot += 1) {
      board = newBoard()
      await board.restorePower()
      await board.when(({ phase }) => phase === 'connecting')
      versions.push(board.state().osVersion)
      if (boot < 3) board.cutPower()
    }
    expect(versions).toEqual(['1.5.0', '1.5.0', '1.5.0', factoryVersion])
    await server.startBroker()
    await ended('failed')
    expect(progress().at(-1)).toMatchObject({
      id: 'f1',
      error: expect.stringContaining('the version before is back') as string
    })
  })
})

test('a power cut after any single step of an update leaves the old version or the new one whole, and the next start ends it', async () => {
  const old = randomBytes(1000)
  const oldImage = {
    slot: 'a' as const,
    version: '1.5.0',
    sha256: createHash('sha256').update(old).digest('hex'),
    size: old.length,
    id: 'f0',
    secureVersion: 0
  }
  const starts: (string | null)[] = []
  for (let lastStep = 0, finished = false; !finished; lastStep += 1) {
    const images = createMemoryImages()
    images.append('a', old)
    images.install('a')
    let firmware: FlashRecord['firmware'] = { ...factoryRecord(mac).firmware, active: oldImage }
    const life = new AbortController()
    let steps = 0
    /** Performs one step, or none after the cut. */
    const cuttable = (change: () => void): void => {
      life.signal.throwIfAborted()
      if (steps === lastStep) life.abort()
      life.signal.throwIfAborted()
      steps += 1
      change()
    }
    const rebooted = Promise.withResolvers<boolean>()
    life.signal.addEventListener('abort', () => rebooted.resolve(false))
    const updater = createUpdater({
      images: {
        ...images,
        append: (slot, chunk) => cuttable(() => images.append(slot, chunk)),
        discardDraft: (slot) => cuttable(() => images.discardDraft(slot)),
        install: (slot) => cuttable(() => images.install(slot))
      },
      clock: createSharedTimer(),
      random: Math.random,
      signal: life.signal,
      firmware: () => firmware,
      credentialFor: () => ({ authorization: null, caPem: null }),
      save: (change) => cuttable(() => (firmware = { ...firmware, ...change })),
      progress: () => undefined,
      reboot: () => rebooted.resolve(true),
      hwModel: 'batti-wall-4',
      trustedKeys: [],
      fault: () => 'none',
      cutPower: () => undefined
    })
    updater.start(update({ version: '9.9.9' }))
    finished = await rebooted.promise
    const chosen = await chooseImage(firmware, images)
    starts.push(chosen.version)
    expect(['1.5.0', '9.9.9']).toContain(chosen.version)
  }
  // With later cuts: first the old version, in the end the new one, and never back.
  expect(starts.length).toBeGreaterThan(5)
  expect(starts.at(0)).toBe('1.5.0')
  expect(starts.at(-1)).toBe('9.9.9')
  expect(starts.lastIndexOf('1.5.0')).toBeLessThan(starts.indexOf('9.9.9'))
})

describe('injected faults', () => {
  const phases = () => [...new Set(progress().map(({ phase }) => phase))]

  test('the image is damaged on arrival', async () => {
    board.setFaults({ update: 'bad-image' })
    send()
    await ended('failed')
    expect(progress().at(-1)?.['error']).toMatch(/^checksum:/)
  })

  test('the connection breaks during the download, and the rest is requested', async () => {
    board.setFaults({ update: 'broken-line' })
    send()
    await ended('done')
    expect(asked).toHaveLength(2)
    expect(asked[1]?.range).toMatch(/^bytes=[1-9]/)
  })

  test('the power is cut before the installation: the old version starts, and nothing is reported', async () => {
    const { bootId } = board.state()
    board.setFaults({ update: 'power-cut' })
    send()
    await vi.waitFor(() => expect(server.reports().at(-1)?.bootId).not.toBe(bootId), patience)
    expect(phases()).toEqual(['download', 'verify'])
    board.setFaults({ update: 'none' })
    await ended('done')
    expect(board.state().osVersion).toBe('1.5.0')
  })

  test('the new version never reaches the server: the old one is back after three minutes and reports it', async () => {
    hasteOfMinutes = 200
    board.setFaults({ update: 'boot-fails' })
    send()
    await ended('failed')
    expect(progress().at(-1)?.['error']).toMatch(/^server-unreachable:/)
    expect(board.state()).toMatchObject({ osVersion: factoryVersion, phase: 'online' })
  })

  test('the new version stops sending', async () => {
    board.setFaults({ update: 'silent' })
    send()
    await board.when(({ phase, faults }) => phase === 'joining' && faults.offline)
    expect(board.state().osVersion).toBe('1.5.0')
  })

  test('the new version answers too late', async () => {
    board.setFaults({ update: 'slower' })
    send()
    await board.when(({ faults }) => faults.latencyMs > 4000)
    expect(board.state().osVersion).toBe('1.5.0')
  })
})

describe('a board with trusted keys', () => {
  const keys = generateKeyPairSync('ed25519')
  const unsigned = image
  const signed = (fields: { hwModel?: string; secureVersion?: number } = {}): Buffer =>
    signImage(unsigned, { hwModel: 'batti-wall-4', version: '1.5.0', secureVersion: 2, ...fields, ...keys })
  const offer = (bytes: Buffer, id = 'f1'): void => {
    image = bytes
    send({ id, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  beforeEach(async () => {
    await board.close()
    board = newBoard([{ keyId: keyIdOf(keys.publicKey), publicKey: keys.publicKey }])
    await board.restorePower()
    await board.when(({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0)
  })
  afterEach(() => {
    image = unsigned
  })

  test('accepts images signed with them, and then none with an older secure version', async () => {
    offer(signed())
    await ended('done')
    offer(signed({ secureVersion: 1 }), 'f2')
    await ended('failed')
    expect(progress().at(-1)?.['error']).toMatch(/^older-secure-version:/)
  })

  test.each([
    ['unsigned', () => unsigned, /^signature: The image is not signed\.$/],
    ['changed', () => Buffer.from(signed()).fill(1, 0, 10), /^signature: The image is not signed by a trusted key\.$/],
    ['for another model', () => signed({ hwModel: 'batti-strip' }), /^wrong-model:/]
  ])('refuses an image that is %s', async (_, bytes, error) => {
    offer(bytes())
    await ended('failed')
    expect(progress().at(-1)?.['error']).toMatch(error)
    expect(board.state().osVersion).toBe(factoryVersion)
  })

  test('answers a finished job with its result', async () => {
    offer(signed())
    await ended('done')
    const received = progress().length
    offer(signed())
    await vi.waitFor(() => expect(progress().length).toBe(received + 1), patience)
    expect(progress().at(-1)).toMatchObject({ id: 'f1', phase: 'done' })
  })
})

describe('choosing the image to start', () => {
  const trial = {
    id: 'f1',
    slot: 'b' as const,
    version: '2.0.0',
    sha256,
    size: image.length,
    secureVersion: 0,
    boots: 0
  }
  const active = { id: 'f0', slot: 'a' as const, version: '1.5.0', sha256, size: image.length, secureVersion: 0 }
  const firmware = { ...factoryRecord(mac).firmware, active, trial }
  const install = (slot: 'a' | 'b') => {
    const { images } = createFileFlash(folder, mac)
    images.append(slot, image)
    images.install(slot)
    return images
  }

  test('an image on trial that was damaged anywhere is not started; the proved one is', async () => {
    install('a')
    const images = install('b')
    for (const at of [0, 1, 150_000, image.length - 1]) {
      truncateSync(join(folder, '34987A0C51E2.b.image'), at)
      const chosen = await chooseImage(firmware, images)
      expect(chosen).toMatchObject({
        version: '1.5.0',
        firmware: { active, trial: null, outcome: { id: 'f1', phase: 'failed' } }
      })
    }
  })

  test('with no intact image the factory’s version starts: old or new, never neither', async () => {
    const images = install('a')
    writeFileSync(join(folder, '34987A0C51E2.a.image'), 'noise')
    expect(await chooseImage(firmware, images)).toMatchObject({
      version: null,
      firmware: { active: null, trial: null }
    })
  })

  test('a power cut between installing and recording it leaves the old version', async () => {
    install('a')
    const images = install('b')
    expect((await chooseImage({ ...firmware, trial: null }, images)).version).toBe('1.5.0')
  })
})
