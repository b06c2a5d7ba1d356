import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureCertificates, warningOfCa } from './certificates.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batti-certificates-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

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
  ])('are made anew when %s, by the CA that the boards have pinned', async (_why, addresses, now) => {
    const { certFile, caFile } = await ensure()
    const authority = readFileSync(caFile, 'utf8')
    expect((await ensure(addresses, now)).made).toBe(true)
    for (const address of addresses) expect(read(certFile).checkIP(address)).toBe(address)
    expect(read(certFile).validToDate.getTime()).toBeGreaterThan(now + 800 * day)
    expect(readFileSync(caFile, 'utf8')).toBe(authority)
  })
})

describe('a clock that was set back', () => {
  it('has a certificate that is not valid yet made anew, by the same CA', async () => {
    const { certFile, caFile } = await ensure([], start + 20 * day)
    const authority = readFileSync(caFile, 'utf8')
    expect((await ensure()).made).toBe(true)
    expect(read(certFile).validFromDate.getTime()).toBeLessThanOrEqual(start)
    expect(readFileSync(caFile, 'utf8')).toBe(authority)
    expect(warningOfCa(caFile, start)).toBeNull()
  })

  it('changes nothing when it is so far back that the CA is not valid either, and a person is told', async () => {
    const { caFile, certFile } = await ensure()
    const before = [readFileSync(certFile, 'utf8'), readFileSync(caFile, 'utf8')]
    expect((await ensure([], start - 400 * day)).made).toBe(false)
    expect([readFileSync(certFile, 'utf8'), readFileSync(caFile, 'utf8')]).toEqual(before)
    expect(warningOfCa(caFile, start - 400 * day)).toContain(`remove ${folder},`)
  })
})

describe('a CA near its end', () => {
  const all = (path: string): X509Certificate[] =>
    (readFileSync(path, 'utf8').match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
      (pem) => new X509Certificate(pem)
    )
  const fingerprints = (path: string): string[] => all(path).map(({ fingerprint256 }) => fingerprint256)

  it('makes the next one known long before, hands over a year before, and goes when it ends', async () => {
    const { caFile, certFile } = await ensure()
    const [old = ''] = fingerprints(caFile)
    const at = (days: number) => ensure([], start + days * day)

    await at(3650 - 3 * 365 - 1)
    expect(fingerprints(caFile)).toEqual([old])
    await at(3650 - 3 * 365 + 1)
    const [first, next = ''] = fingerprints(caFile)
    expect([first, fingerprints(caFile).length]).toEqual([old, 2])
    // Boards have three years to learn the next one; until then the old one signs.
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

  it('hands over as well when that was cut off half-way', async () => {
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
