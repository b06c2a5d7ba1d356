import { testFolder } from '@batti/kit/node/testing'
import { createFakeClock } from '@batti/kit/testing'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { beforeEach, describe, expect, it } from 'vitest'
import { ensureCertificates, renewInTime, warningsOfCa } from './certificates.ts'
import { readIfThere } from '../data/private-file.ts'
import { certificateFaults } from '../upkeep/doctor/certificate-faults.ts'

let home: string
let folder: string
beforeEach(() => {
  home = testFolder('certificates')
  folder = join(home, 'certs')
})

const day = 24 * 3_600_000
const start = Date.now()
const ensure = (addresses: string[] = [], now = start) => ensureCertificates({ folder, addresses, now })
const read = (path: string) => new X509Certificate(readFileSync(path))

describe('the certificates of a first start', () => {
  it('are ECDSA P-256, for this machine, and signed by the CA of this folder', async () => {
    const { certFile, keyFile, caFile } = await ensure()
    const cert = read(certFile)
    expect(cert.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    expect(cert.checkHost('localhost')).toBe('localhost')
    expect(cert.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(cert.checkIP('::1')).toBeDefined()
    expect(cert.ca).toBe(false)
    expect(read(caFile).ca).toBe(true)
    expect(cert.verify(read(caFile).publicKey)).toBe(true)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  })

  it('are what a TLS client that trusts only that CA accepts', async () => {
    const { certFile, keyFile, caFile } = await ensure()
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) })
    server.on('tlsClientError', () => undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const client = connect({ host: '127.0.0.1', port, ca: readFileSync(caFile) })
    await once(client, 'secureConnect')
    expect(client.authorized).toBe(true)
    const stranger = connect({ host: '127.0.0.1', port })
    const [error] = await once(stranger, 'error').catch((thrown: unknown) => [thrown])
    expect(String(error)).toMatch(/certificate/)
    client.destroy()
    server.close()
  })

  it('are reused by the next start', async () => {
    const { certFile, caFile } = await ensure()
    const before = [readFileSync(certFile, 'utf8'), readFileSync(caFile, 'utf8')]
    expect((await ensure()).made).toBe(false)
    expect([readFileSync(certFile, 'utf8'), readFileSync(caFile, 'utf8')]).toEqual(before)
  })

  it.each([
    ['an address in the house is missing', ['192.168.1.20'], start],
    ['less than a month is left', [], start + 800 * day]
  ])('are made again when %s, by the CA that the boards have pinned', async (_why, addresses, now) => {
    const { certFile, caFile } = await ensure()
    const authority = readFileSync(caFile, 'utf8')
    expect((await ensure(addresses, now)).made).toBe(true)
    for (const address of addresses) expect(read(certFile).checkIP(address)).toBe(address)
    expect(read(certFile).validToDate.getTime()).toBeGreaterThan(now + 800 * day)
    expect(readFileSync(caFile, 'utf8')).toBe(authority)
  })
})

describe('a clock that was set back', () => {
  it('makes a certificate that is not valid yet again, by the same CA', async () => {
    const { certFile, caFile } = await ensure([], start + 20 * day)
    const authority = readFileSync(caFile, 'utf8')
    expect(certificateFaults(home, null, start)).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining('is valid from'), where: certFile })
    )
    expect((await ensure()).made).toBe(true)
    expect(read(certFile).validFromDate.getTime()).toBeLessThanOrEqual(start)
    expect(readFileSync(caFile, 'utf8')).toBe(authority)
    expect(warningsOfCa(folder, start)).toEqual([])
  })

  it('is noticed within the hour by a running home', async () => {
    const clock = createFakeClock(start)
    await ensure()
    clock.step(400 * day)
    const { certFile } = await ensure(['192.168.1.20'], clock.now())
    const { promise, resolve: say } = Promise.withResolvers<string>()
    const stop = renewInTime({ clock, folder, addresses: [], say })
    clock.step(-400 * day)
    clock.advance(3_600_000)
    expect(await promise).toContain('it has a new one')
    expect(read(certFile).validFromDate.getTime()).toBeLessThanOrEqual(clock.now())
    stop()
  })

  it('changes nothing when it is so far back that the CA is not valid either, and the user is told', async () => {
    const { caFile, certFile } = await ensure()
    const before = [readFileSync(certFile, 'utf8'), readFileSync(caFile, 'utf8')]
    expect((await ensure([], start - 400 * day)).made).toBe(false)
    expect([readFileSync(certFile, 'utf8'), readFileSync(caFile, 'utf8')]).toEqual(before)
    expect(warningsOfCa(folder, start - 400 * day)).toEqual([expect.stringContaining(`remove ${folder},`)])
  })
})

describe('an unusable certificate', () => {
  it.each([
    ['its key is empty', 'broker-key.pem', ''],
    ['it is empty', 'broker.pem', ''],
    ['it is cut', 'broker.pem', '-----BEGIN CERTIFICATE-----\nMIIB']
  ])('is made again when %s, by the same CA', async (_why, name, text) => {
    const { caFile } = await ensure()
    const authority = readFileSync(caFile, 'utf8')
    writeFileSync(join(folder, name), text)
    expect(certificateFaults(home, null, start).map(({ where }) => where)).toEqual([join(folder, name)])
    await expectPair()
    expect(readFileSync(caFile, 'utf8')).toBe(authority)
  })

  it('is made again when a renewal was interrupted between key and certificate', async () => {
    const { certFile, keyFile } = await ensure()
    const old = readFileSync(certFile)
    await ensure([], start + 800 * day)
    writeFileSync(certFile, old)
    expect(certificateFaults(home, null, start)).toEqual([
      expect.objectContaining({ what: expect.stringContaining('belongs to another one'), where: keyFile })
    ])
    await expectPair()
  })

  it("of the user's own is kept, and doctor names the key that does not fit", async () => {
    const { certFile } = await ensure()
    const keyFile = join(folder, 'ca-key.pem')
    expect(certificateFaults(home, { certFile, keyFile, caFile: null }, start)).toEqual([
      {
        what: 'The key of the certificate cannot be read, or belongs to another one',
        where: keyFile,
        do: 'Put the key of this certificate in place, and start Batti again.'
      }
    ])
  })

  async function expectPair(): Promise<void> {
    const { made, certFile, keyFile } = await ensure()
    expect(made).toBe(true)
    expect(read(certFile).checkPrivateKey(createPrivateKey(readFileSync(keyFile)))).toBe(true)
    expect(certificateFaults(home, null, start)).toEqual([])
  }
})

describe('a CA that boards have pinned', () => {
  const inFolder = (name: string): string => join(folder, name)
  const cut = (path: string): void => truncateSync(path, statSync(path).size - 40)

  it.each([
    ['empty', (path: string) => truncateSync(path)],
    ['cut', cut],
    ['missing', (path: string) => rmSync(path)]
  ])('is never replaced by a new one when it is %s', async (_how, damage) => {
    const { caFile } = await ensure()
    damage(caFile)
    const left = readIfThere(caFile)
    await expect(ensure()).rejects.toThrow(
      new RegExp(`^${caFile} is (damaged|missing). Put it back from a backup, or remove ${folder}, start again`)
    )
    expect([readIfThere(caFile), certificateFaults(home, null, start)]).toEqual([
      left,
      [expect.objectContaining({ where: caFile, do: expect.stringContaining('Put it back from a backup') })]
    ])
  })

  it('is refused when one of the two that boards know is truncated', async () => {
    const { caFile } = await ensure()
    await ensure([], start + (3650 - 3 * 365 + 1) * day)
    cut(caFile)
    await expect(ensure()).rejects.toThrow(`${caFile} is damaged.`)
  })

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path)],
    ['one of another pair', (path: string) => copyFileSync(inFolder('broker-key.pem'), path)]
  ])('is used without its key (%s) as long as possible, and the user is told', async (_how, damage) => {
    const { caFile, certFile } = await ensure()
    const before = [caFile, certFile].map(readIfThere)
    const key = inFolder('ca-key.pem')
    damage(key)
    for (const [addresses, now] of [
      [[], start],
      [['192.168.1.20'], start],
      [[], start + 800 * day]
    ] as const) {
      expect((await ensure([...addresses], now)).made).toBe(false)
      expect([caFile, certFile].map(readIfThere)).toEqual(before)
    }
    expect(warningsOfCa(folder, start)).toEqual([expect.stringContaining(`${key} is missing or damaged`)])
    expect(certificateFaults(home, null, start).map(({ where }) => where)).toEqual([key])
    await expect(ensure([], start + 821 * day)).rejects.toThrow(`${key} is missing or damaged, and the certificate`)
  })

  it('is not replaced by a clock that is ten years ahead, and is used again when that is corrected', async () => {
    const files = Object.values(await ensure()).filter((each) => typeof each === 'string')
    const before = files.map(readIfThere)
    await expect(ensure([], start + 3651 * day)).rejects.toThrow(
      new RegExp(`^${inFolder('ca.pem')} ended on .* If that is not so, set the clock .* remove ${folder}, start again`)
    )
    expect(files.map(readIfThere)).toEqual(before)
    expect(certificateFaults(home, null, start + 3651 * day)).toContainEqual(
      expect.objectContaining({ where: inFolder('ca.pem'), do: expect.stringContaining(`remove ${folder}`) })
    )
    expect((await ensure()).made).toBe(false)
  })

  it('is made when a first start was interrupted before anybody knew it', async () => {
    await ensure()
    for (const name of ['ca.pem', 'broker.pem', 'broker-key.pem']) rmSync(inFolder(name))
    expect((await ensure()).made).toBe(true)
  })
})

describe('a CA near its end', () => {
  const all = (path: string): X509Certificate[] =>
    (readFileSync(path, 'utf8').match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
      (pem) => new X509Certificate(pem)
    )
  const fingerprints = (path: string): string[] => all(path).map(({ fingerprint256 }) => fingerprint256)

  it('announces the next one long before, is replaced by it a year before, and is removed at its end', async () => {
    const { caFile, certFile } = await ensure()
    const [old = ''] = fingerprints(caFile)
    const at = (days: number) => ensure([], start + days * day)

    await at(3650 - 3 * 365 - 1)
    expect(fingerprints(caFile)).toEqual([old])
    await at(3650 - 3 * 365 + 1)
    const [first, next = ''] = fingerprints(caFile)
    expect([first, fingerprints(caFile).length]).toEqual([old, 2])
    // Boards have two years to learn the next one; until then the old one signs.
    const signedBy = () => all(caFile).find(({ publicKey }) => read(certFile).verify(publicKey))?.fingerprint256
    await at(3650 - 366)
    expect(signedBy()).toBe(old)
    expect(read(certFile).validToDate.getTime()).toBeLessThanOrEqual(start + 3650 * day)
    await at(3650 - 364)
    expect(fingerprints(caFile)).toEqual([next, old])
    expect(signedBy()).toBe(next)
    await at(3650 + 1)
    expect(fingerprints(caFile)).toEqual([next])
    expect(signedBy()).toBe(next)
  })

  it('is replaced by the next one also when the home did not run until its own end', async () => {
    const { caFile, certFile } = await ensure()
    const at = (days: number) => ensure([], start + days * day)
    await at(3650 - 3 * 365 + 1)
    const [, next] = fingerprints(caFile)
    await at(3650 + 1)
    expect(fingerprints(caFile)[0]).toBe(next)
    expect(read(certFile).verify(read(caFile).publicKey)).toBe(true)
  })

  it('is not replaced by one that boards had no time to learn, as with a clock that is ahead', async () => {
    const { caFile, certFile } = await ensure()
    const [old] = fingerprints(caFile)
    for (const hours of [0, 1]) await ensure([], start + 3500 * day + hours * 3_600_000)
    expect(fingerprints(caFile)[0]).toBe(old)
    await ensure()
    expect(read(certFile).verify(read(caFile).publicKey)).toBe(true)
    expect(warningsOfCa(folder, start)).toEqual([])
    // Later it could not sign without a gap.
    await ensure([], start + (3650 - 29) * day)
    expect(fingerprints(caFile)[1]).toBe(old)
  })

  it('is replaced also after an interruption half-way', async () => {
    const { caFile, certFile } = await ensure()
    const at = (days: number) => ensure([], start + days * day)
    await at(3650 - 3 * 365 + 1)
    const keys = ['ca-key.pem', 'ca-next-key.pem'].map((name) => [name, readFileSync(join(folder, name))] as const)
    await at(3650 - 364)
    const [next] = fingerprints(caFile)
    for (const [name, key] of keys) writeFileSync(join(folder, name), key)
    await at(3650 - 363)
    expect(fingerprints(caFile)[0]).toBe(next)
    expect(read(certFile).verify(read(caFile).publicKey)).toBe(true)
  })
})
