import { createPrivateKey, X509Certificate } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from './generate-certificate.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

const dayMs = 24 * 3_600_000
const authorityDays = 3650
/** Boards are told of the next CA this long before the one in use ends; one that was away all that time is paired anew. */
const announceBeforeMs = 3 * 365 * dayMs
/** From here on the next CA signs. */
const handOverBeforeMs = 365 * dayMs

export interface Authority {
  cert: string
  key: string
}

export const lastsUntil = (pem: string): number => new X509Certificate(pem).validToDate.getTime()

/**
 * The CA that signs now: the first in `ca.pem`, with its key in `ca-key.pem`. While one takes over from another, `ca.pem`
 * holds both, so that a board which has learnt them trusts either: the next one stands second until it signs, and the
 * old one second until it ends.
 */
export async function ensureAuthorities(folder: string, now: number): Promise<Authority> {
  const file = (name: string): string => join(folder, name)
  const keys = { now: file('ca-key.pem'), next: file('ca-next-key.pem') }
  const [first, ...others] = certificatesIn(readIfThere(file('ca.pem')) ?? '')
  const key = readIfThere(keys.now)
  if (first === undefined || key === null || lastsUntil(first) <= now) {
    const made = await makeAuthority(now)
    writePrivateFile(keys.now, made.key)
    writePrivateFile(file('ca.pem'), made.cert)
    rmSync(keys.next, { force: true })
    return made
  }
  const leftMs = lastsUntil(first) - now
  const nextKey = readIfThere(keys.next)
  const [next] = others
  if (nextKey !== null && isPair(first, nextKey)) {
    // A hand-over that was cut off.
    writePrivateFile(keys.now, nextKey)
    rmSync(keys.next)
    return { cert: first, key: nextKey }
  }
  if (nextKey !== null && next !== undefined) {
    if (leftMs > handOverBeforeMs) return { cert: first, key }
    writePrivateFile(file('ca.pem'), `${next}\n${first}\n`)
    writePrivateFile(keys.now, nextKey)
    rmSync(keys.next)
    return { cert: next, key: nextKey }
  }
  if (leftMs <= announceBeforeMs) {
    const made = await makeAuthority(now)
    writePrivateFile(keys.next, made.key)
    writePrivateFile(file('ca.pem'), `${first}\n${made.cert}\n`)
  } else {
    const ended = others.filter((other) => lastsUntil(other) <= now)
    if (ended.length > 0) writePrivateFile(file('ca.pem'), `${first}\n`)
  }
  return { cert: first, key }
}

async function makeAuthority(now: number): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: `Batti development CA ${new Date(now).toISOString()}` }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // A board whose clock is a little behind trusts it, too.
    notBeforeDate: new Date(now - 30 * dayMs),
    notAfterDate: new Date(now + authorityDays * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true }
    ]
  })
  return { cert: made.cert.trim(), key: made.private }
}

const isPair = (cert: string, key: string): boolean => new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))

const certificatesIn = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
