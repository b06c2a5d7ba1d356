import { dayMs } from '@batti/kit/durations'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '@batti/api/migrations/migrations'
import { createClient, type Client } from '@batti/client/client'
import { isRecord, parseJson } from '@batti/kit/json'
import { listDevices, listDeviceTypes, login } from '@batti/contracts'
import { MongoClient } from 'mongodb'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { ensureAuthorities } from '../certificates/authorities.ts'
import { startProduct, type Product } from '../testing/start-product.ts'
import { readJsonObject } from '../data/private-file.ts'
import { readSettings } from '../config.ts'
import { examine } from './doctor/doctor.ts'
import { describeInstallation } from './installation.ts'
import { onEmbedded } from './open-database.ts'
import { restore } from './restore.ts'

/**
 * A demo home as the commit before the dimmer (6657a4f^) wrote it, with a Wi-Fi password and a switched lamp. Nobody uses
 * it.
 */
const beforeTheDimmer = join(import.meta.dirname, 'fixtures/before-the-dimmer.tar.gz')
const patientMs = 120_000

const home = mkdtempSync(join(tmpdir(), 'batti-upgrade-'))
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

async function olderHome(name: string): Promise<string> {
  const data = join(home, name)
  await restore(describeInstallation(data, readSettings({})), beforeTheDimmer, 'now')
  return data
}

async function as(product: Product, role: string): Promise<Client> {
  const client = createClient({ base: product.web })
  const account = product.accounts.find((known) => known.role === role)
  const body = { email: account?.email ?? '', password: account?.password ?? '' }
  return client.as((await client.call(login, { body })).accessToken)
}

const boardsOf = async (product: Product) => (await (await as(product, 'user')).call(listDevices, {})).devices

async function whenOnline(product: Product): Promise<void> {
  // Once: log-ins are limited, and each costs a password hash.
  const user = await as(product, 'user')
  await vi.waitFor(
    async () => {
      const { devices } = await user.call(listDevices, {})
      expect(devices.filter(({ isOnline }) => isOnline)).toHaveLength(4)
    },
    { timeout: patientMs, interval: 250 }
  )
}

/** Lines of a part's log with the message `message`. */
function logged(data: string, message: string): Record<string, unknown>[] {
  return readFileSync(join(data, 'logs/home.log'), 'utf8')
    .split('\n')
    .map(parseJson)
    .filter(isRecord)
    .filter((line) => line['msg'] === message)
}

const faultsOf = async (data: string, env: Record<string, string>): Promise<string[]> => {
  const settings = readSettings(env)
  return (await examine(describeInstallation(data, settings), settings, Date.now())).map(({ what }) => what)
}

describe('a start of this version', { timeout: 4 * patientMs }, () => {
  it('continues with a folder of an earlier version, and migrates it', async () => {
    const data = await olderHome('older')
    const product = await startProduct({ data })
    try {
      await whenOnline(product)
      const { deviceTypes } = await (await as(product, 'admin')).call(listDeviceTypes, {})
      expect(deviceTypes.find(({ deviceCode }) => deviceCode === 'BTD')).toMatchObject({
        hwModel: 'batti-dimmer',
        numberOfSwitches: 4,
        dimmerIndexes: [0, 1]
      })
      const board = (await boardsOf(product)).find(({ wifiSSID }) => wifiSSID === 'Home')
      expect(board?.wifiPassword).toBe('seven locks')
    } finally {
      await product.stop()
    }
    await onEmbedded(join(data, 'db'), async (uri) => {
      const client = await MongoClient.connect(uri)
      const schema = client.db().collection<{ _id: string; version: number; ran: { name: string }[] }>('schema')
      const ran = migrations.map(({ name }) => ({ name, at: expect.any(Date) }))
      expect(await schema.find().toArray()).toEqual([{ _id: 'schema', version: ran.length, ran }])
      await schema.updateOne({}, { $set: { version: 99 } })
      await client.close()
    })
    // What a newer version wrote is not touched.
    await expect(startProduct({ data })).rejects.toThrow(
      /The api could not start: the database has schema 99 of a newer Batti/
    )
    expect(await faultsOf(data, {})).toEqual([expect.stringContaining('schema 99')])
  })

  it('accepts new secrets, and then removes the old ones', async () => {
    const data = await olderHome('rotated')
    const old = readJsonObject(join(data, 'secrets.json')) ?? {}
    const fresh = {
      DATA_KEY: randomBytes(32).toString('base64'),
      JWT_SECRET: randomBytes(48).toString('base64url'),
      INTERNAL_SECRET: randomBytes(36).toString('base64url'),
      MQTT_SERVICE_PASSWORD: randomBytes(36).toString('base64url')
    }
    const before = { DATA_KEY_PREVIOUS: String(old['DATA_KEY']), JWT_SECRET_PREVIOUS: String(old['JWT_SECRET']) }
    let product = await startProduct({ data })
    const earlier = createClient({ base: product.web })
    const account = product.accounts.find(({ role }) => role === 'user')
    const session = await earlier.call(login, {
      body: { email: account?.email ?? '', password: account?.password ?? '' }
    })
    await product.stop()

    // With the earlier secrets known, sessions stay valid and everything can be read.
    product = await startProduct({ data, env: { ...fresh, ...before } })
    try {
      const devices = await createClient({ base: product.web }).as(session.accessToken).call(listDevices, {})
      expect(devices.devices).toHaveLength(4)
      await whenOnline(product)
      const resealed = await vi.waitFor(() => {
        const lines = logged(data, 'values sealed with an earlier key were sealed again')
        expect(lines).toHaveLength(1)
        return lines[0]
      }, 60_000)
      expect(resealed).toMatchObject({ resealed: 1, unreadable: 0 })
    } finally {
      await product.stop()
    }
    expect(await faultsOf(data, { ...fresh, ...before })).toEqual(['DATA_KEY_PREVIOUS opens nothing any more'])

    // Without them, what was sealed again can be read, and what they signed is invalid.
    product = await startProduct({ data, env: fresh })
    try {
      const stranger = createClient({ base: product.web }).as(session.accessToken)
      await expect(stranger.call(listDevices, {})).rejects.toMatchObject({ status: 401 })
      await whenOnline(product)
      const board = (await boardsOf(product)).find(({ wifiSSID }) => wifiSSID === 'Home')
      expect(board?.wifiPassword).toBe('seven locks')
    } finally {
      await product.stop()
    }
    expect(await faultsOf(data, fresh)).toEqual([])

    // With a wrong key nothing is lost silently.
    const lost = { ...fresh, DATA_KEY: randomBytes(32).toString('base64') }
    product = await startProduct({ data, env: lost })
    try {
      await vi.waitFor(() => {
        const lines = logged(data, unopenable)
        expect(lines.at(-1)).toMatchObject({ unreadable: 1, level: 50 })
      }, 60_000)
      const board = (await boardsOf(product)).find(({ wifiSSID }) => wifiSSID === 'Home')
      expect(board?.wifiPassword).toBeUndefined()
    } finally {
      await product.stop()
    }
    expect(await faultsOf(data, lost)).toEqual(['DATA_KEY opens none of the 1 sealed values'])
  })
})

describe('the CA of a home', { timeout: 4 * patientMs }, () => {
  it('is replaced by the next one without a board being set up again', async () => {
    const data = join(home, 'authorities')
    const certs = join(data, 'certs')
    const now = Date.now()
    // A home that is nearly seven years old: nobody knows a next CA yet.
    mkdirSync(certs, { recursive: true, mode: 0o700 })
    await ensureAuthorities(certs, now - (3650 - 3 * 365 - 1) * dayMs)
    let product = await startProduct({ data })
    const trustedBy = (): string[] =>
      readdirSync(join(data, 'boards'))
        .filter((name) => name.endsWith('.flash'))
        .map((name) => readFileSync(join(data, 'boards', name), 'utf8'))
    try {
      await whenOnline(product)
      await product.stop()
      await ensureAuthorities(certs, now + 2 * dayMs)
      const [, next = ''] = readFileSync(join(certs, 'ca.pem'), 'utf8').trim().split('\n-----BEGIN CERTIFICATE-----')
      const lines = next.trim().split('\n').slice(0, 3).join('')
      expect(trustedBy().some((flash) => flash.replaceAll('\\n', '').includes(lines))).toBe(false)

      product = await startProduct({ data })
      await vi.waitFor(() => {
        const flashes = trustedBy()
        expect(flashes).toHaveLength(4)
        for (const flash of flashes) expect(flash.replaceAll('\\n', '')).toContain(lines)
      }, patientMs)
      await product.stop()

      // The next CA signs from here on; the boards know it.
      const before = readFileSync(join(certs, 'broker.pem'), 'utf8')
      await ensureAuthorities(certs, now + (2 * 365 + 2) * dayMs)
      product = await startProduct({ data })
      expect(readFileSync(join(certs, 'broker.pem'), 'utf8')).not.toBe(before)
      await whenOnline(product)
    } finally {
      await product.stop()
    }
  })
})

const unopenable =
  'sealed values can be opened by no key: add the one that sealed them to DATA_KEY_PREVIOUS, or have those Wi-Fi passwords typed anew'
