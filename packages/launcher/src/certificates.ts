import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import type { Timers } from '@batti/kit/clock'
import { makeFolder } from '@batti/kit/node/folders'
import { ensureAuthorities, lastsUntil } from './authorities.ts'
import { generate } from './generate-certificate.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

export interface CertificateFiles {
  caFile: string
  certFile: string
  keyFile: string
}

const dayMs = 24 * 3_600_000
const certificateDays = 820
/** Sooner than the 21 days at which an expiring certificate is an alarm. */
const renewBeforeMs = 30 * dayMs

/** What boards and browsers on this machine call it; `--lan` adds the addresses in the house. */
const ownNames = ['localhost', '127.0.0.1', '::1']

/**
 * The broker's certificate (ECDSA P-256) and the development CA that signed it, made once and kept in `folder`. A new
 * certificate is made when it runs out within 30 days, lacks one of `addresses`, comes from another CA, or was made by a
 * clock that was ahead. The CA stays as long as it can, for boards have pinned it; the next one takes over in steps
 * (`ensureAuthorities`).
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
  const authority = await ensureAuthorities(folder, now)
  const cert = readIfThere(files.certFile)
  const key = readIfThere(files.keyFile)
  if (cert !== null && key !== null && isGood({ cert, ca: authority.cert, names, now }))
    return { ...files, made: false }
  const made = await generate([{ name: 'commonName', value: 'Batti broker' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - dayMs),
    notAfterDate: new Date(Math.min(now + certificateDays * dayMs, lastsUntil(authority.cert))),
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

function isGood(parts: { cert: string; ca: string; names: readonly string[]; now: number }): boolean {
  const cert = new X509Certificate(parts.cert)
  const ca = new X509Certificate(parts.ca)
  return (
    cert.validToDate.getTime() > parts.now + renewBeforeMs &&
    !isAheadOf(parts.now, cert, ca) &&
    cert.verify(ca.publicKey) &&
    parts.names.every((name) => (isIP(name) === 0 ? cert.checkHost(name) : cert.checkIP(name)) !== undefined)
  )
}

/** Not valid yet. Where its CA is not either, it is the clock that is behind, as before a small machine has asked for the time. */
const isAheadOf = (now: number, cert: X509Certificate, ca: X509Certificate): boolean =>
  cert.validFromDate.getTime() > now && ca.validFromDate.getTime() <= now

/** For a person, when the CA is not valid yet; else null. Unasked none is made anew: that would cut off every board. */
export function warningOfCa(caFile: string, now: number): string | null {
  const { validFromDate } = new X509Certificate(readFileSync(caFile))
  if (validFromDate.getTime() <= now) return null
  return (
    `The certificates are valid from ${validFromDate.toISOString().slice(0, 10)} on: the clock of this machine is behind, or was ` +
    `ahead when they were made. If it was ahead, remove ${dirname(caFile)}, start again, and pair the boards anew.`
  )
}

/** Looks once a day; broker and api read the files anew by themselves. Answers the undo. */
export function renewDaily(parts: {
  clock: Timers
  folder: string
  addresses: readonly string[]
  say(line: string): void
}): () => void {
  const { clock, folder, addresses, say } = parts
  let cancel = (): void => undefined
  const look = async (): Promise<void> => {
    try {
      const { made } = await ensureCertificates({ folder, addresses, now: clock.now() })
      if (made) say('The certificate of the broker was near its end, or not valid yet: it has a new one.')
    } catch (error) {
      say(
        `The certificate of the broker could not be renewed: ${error instanceof Error ? error.message : String(error)}`
      )
    }
    cancel = clock.after(dayMs, () => void look())
  }
  cancel = clock.after(dayMs, () => void look())
  return () => cancel()
}
