import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { makeFolder } from '@batti/kit/node/folders'
import { generate } from 'selfsigned'
import { readIfThere, writePrivateFile } from './private-file.ts'

export interface CertificateFiles {
  caFile: string
  certFile: string
  keyFile: string
}

const dayMs = 24 * 3_600_000
const authorityDays = 3650
const certificateDays = 820
/** Sooner than the 21 days at which an expiring certificate is an alarm. */
const renewBeforeMs = 30 * dayMs

/** What boards and browsers on this machine call it; `--lan` adds the addresses in the house. */
const ownNames = ['localhost', '127.0.0.1', '::1']

/**
 * The broker's certificate (ECDSA P-256) and the development CA that signed it, made once and kept in `folder`. A new
 * certificate is made when it runs out within 30 days, lacks one of `addresses`, or comes from another CA. The CA stays:
 * boards have pinned it.
 */
export async function ensureCertificates(parts: {
  folder: string
  addresses: readonly string[]
  now: number
}): Promise<CertificateFiles & { made: boolean }> {
  const { folder, addresses, now } = parts
  makeFolder(folder)
  const files = {
    caFile: join(folder, 'ca.pem'),
    certFile: join(folder, 'broker.pem'),
    keyFile: join(folder, 'broker-key.pem')
  }
  const names = [...new Set([...ownNames, ...addresses])]
  const authority = await ensureAuthority(files.caFile, join(folder, 'ca-key.pem'), now)
  const cert = readIfThere(files.certFile)
  const key = readIfThere(files.keyFile)
  if (cert !== null && key !== null && isGood({ cert, ca: authority.cert, names, now }))
    return { ...files, made: false }
  const made = await generate([{ name: 'commonName', value: 'Batti broker' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - dayMs),
    notAfterDate: new Date(now + certificateDays * dayMs),
    ca: authority,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name }))
      }
    ]
  })
  writePrivateFile(files.keyFile, made.private)
  writePrivateFile(files.certFile, made.cert)
  return { ...files, made: true }
}

async function ensureAuthority(caFile: string, keyFile: string, now: number): Promise<{ cert: string; key: string }> {
  const [cert, key] = [readIfThere(caFile), readIfThere(keyFile)]
  if (cert !== null && key !== null && lastsUntil(cert) > now + certificateDays * dayMs) return { cert, key }
  const made = await generate([{ name: 'commonName', value: `Batti development CA ${new Date(now).toISOString()}` }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - dayMs),
    notAfterDate: new Date(now + authorityDays * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true }
    ]
  })
  writePrivateFile(keyFile, made.private)
  writePrivateFile(caFile, made.cert)
  return { cert: made.cert, key: made.private }
}

const lastsUntil = (pem: string): number => new X509Certificate(pem).validToDate.getTime()

function isGood(parts: { cert: string; ca: string; names: readonly string[]; now: number }): boolean {
  const cert = new X509Certificate(parts.cert)
  const ca = new X509Certificate(parts.ca)
  return (
    cert.validToDate.getTime() > parts.now + renewBeforeMs &&
    cert.verify(ca.publicKey) &&
    parts.names.every((name) => (isIP(name) === 0 ? cert.checkHost(name) : cert.checkIP(name)) !== undefined)
  )
}
