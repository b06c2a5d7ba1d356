import { dayMs } from '@batti/kit/durations'
import { X509Certificate } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { certificatePaths, certificatesIn, ifBoardsWereAway, isPair, withoutCa } from './certificate-files.ts'
import { generate } from './generate-certificate.ts'
import { LaunchError } from '../launch-error.ts'
import { readIfThere, writePrivateFile } from '../data/private-file.ts'

const authorityDays = 3650
/** The next CA is announced to boards this long before the present one expires. A board offline all that time must pair again. */
const announceBeforeMs = 3 * 365 * dayMs
/** From here on the next CA signs, if boards have had the whole announcement period to learn it. */
const handOverBeforeMs = 365 * dayMs
/** From here on it signs in any case. */
const handOverAtLastMs = 30 * dayMs
/** A new CA is backdated, so that a board whose clock is slow trusts it, too. */
const backdatedMs = 30 * dayMs

export interface Authority {
  cert: string
  /** Null when it is lost: nothing new can be signed. */
  key: string | null
}

export const lastsUntil = (pem: string): number => new X509Certificate(pem).validToDate.getTime()

/**
 * Returns the CA that signs now: the first in `ca.pem`, with its key in `ca-key.pem`. During a rollover `ca.pem` holds two,
 * so that boards trust either: the next one is second until it signs, then the old one is second until it expires.
 * @throws LaunchError when boards have pinned a CA that is unreadable, or that expired without a successor (as with a
 * clock that is ahead).
 */
export async function ensureAuthorities(folder: string, now: number): Promise<Authority> {
  const paths = certificatePaths(folder)
  const [first, ...others] = readAuthorities(folder)
  if (first === undefined) return startAnew(folder, now)
  const leftMs = lastsUntil(first) - now
  const nextKey = readIfThere(paths.nextCaKey)
  const [next] = others
  // Complete a rollover that was interrupted before its last step.
  if (keyFits(first, nextKey)) return handOver(folder, first, nextKey)
  const isAnnounced = next !== undefined && keyFits(next, nextKey)
  if (isAnnounced && isTimeFor(next, leftMs, now)) {
    writePrivateFile(paths.ca, `${next}\n${first}\n`)
    return handOver(folder, next, nextKey)
  }
  if (leftMs <= 0)
    throw new LaunchError(
      `${paths.ca} ended on ${new Date(lastsUntil(first)).toISOString().slice(0, 10)}, by the clock of this machine. ` +
        `If that is not so, set the clock and start again. ${ifBoardsWereAway(folder)}`
    )
  if (!isAnnounced && leftMs <= announceBeforeMs) {
    const made = await makeAuthority(now)
    writePrivateFile(paths.nextCaKey, made.key)
    writePrivateFile(paths.ca, `${first}\n${made.cert}\n`)
  } else if (others.some((other) => lastsUntil(other) <= now)) writePrivateFile(paths.ca, `${first}\n`)
  const key = readIfThere(paths.caKey)
  return { cert: first, key: keyFits(first, key) ? key : null }
}

function isTimeFor(next: string, leftMs: number, now: number): boolean {
  const knownForMs = now - new X509Certificate(next).validFromDate.getTime() - backdatedMs
  const isKnown = knownForMs >= announceBeforeMs - handOverBeforeMs
  return leftMs <= (isKnown ? handOverBeforeMs : handOverAtLastMs) && lastsUntil(next) > now
}

/** Reads the CAs of the folder; none in a new folder. Throws for damaged ones: a new CA would cut off every board. */
function readAuthorities(folder: string): string[] {
  const paths = certificatePaths(folder)
  const text = readIfThere(paths.ca)
  if (text === null && !existsSync(paths.cert) && !existsSync(paths.key)) return []
  const found = certificatesIn(text)
  if (found === null)
    throw new LaunchError(`${paths.ca} is ${text === null ? 'missing' : 'damaged'}. ${withoutCa(folder)}`)
  return found
}

async function startAnew(folder: string, now: number): Promise<Authority> {
  const paths = certificatePaths(folder)
  const made = await makeAuthority(now)
  writePrivateFile(paths.caKey, made.key)
  writePrivateFile(paths.ca, made.cert)
  rmSync(paths.nextCaKey, { force: true })
  return made
}

function handOver(folder: string, cert: string, key: string): Authority {
  const paths = certificatePaths(folder)
  writePrivateFile(paths.caKey, key)
  rmSync(paths.nextCaKey)
  return { cert, key }
}

async function makeAuthority(now: number): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: `Batti development CA ${new Date(now).toISOString()}` }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - backdatedMs),
    notAfterDate: new Date(now + authorityDays * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true }
    ]
  })
  return { cert: made.cert.trim(), key: made.private }
}

const keyFits = (cert: string, key: string | null): key is string => isPair(new X509Certificate(cert), key)
