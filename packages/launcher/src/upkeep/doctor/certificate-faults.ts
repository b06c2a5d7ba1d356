import { dayMs } from '@batti/kit/durations'
import type { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  certificateIn,
  certificatePaths,
  certificatesIn,
  ifBoardsWereAway,
  ifClockWasAhead,
  isPair,
  withoutCa
} from '../../certificates/certificate-files.ts'
import type { Settings } from '../../config.ts'
import { holdsDatabase } from '../../data/data-folder.ts'
import { readIfThere } from '../../data/private-file.ts'
import type { Fault } from './fault.ts'

const warnBeforeDays = 21

/** Advice for a certificate that is unreadable, not valid yet (`begin`), or expiring (`end`). */
interface Remedies {
  unreadable: string
  begin: string
  end: string
}

const made = 'Start Batti again: it makes a new one.'
const own = 'Get a new one from whoever issued it, put it in place, and start Batti again.'
const ownKey = 'Put the key of this certificate in place, and start Batti again.'
const rightClock = 'See that the clock of this machine is right, and start Batti again.'
const restoreCa =
  'Put its folder back from a backup: a start without it makes another CA, with which all boards must be paired anew.'
const nextAuthority = 'Start Batti again: it makes the next CA, and boards that are online learn it.'

/** Finds certificates that are unreadable, do not belong together, or expire soon. */
export const certificateFaults = (data: string, ownFiles: Settings['ownCertificate'], now: number): Fault[] =>
  ownFiles === null ? faultsOfMade(data, now) : faultsOfOwn(ownFiles, now)

function faultsOfMade(data: string, now: number): Fault[] {
  const folder = join(data, 'certs')
  const paths = certificatePaths(folder)
  if (![paths.ca, paths.cert, paths.key].some((path) => existsSync(path)))
    return holdsDatabase(data) ? [{ what: 'The CA that boards trust is missing', where: paths.ca, do: restoreCa }] : []
  const authorities = certificatesIn(readIfThere(paths.ca)) ?? []
  const ca = certificateIn(authorities[0] ?? null)
  const isOver = ca !== null && authorities.length === 1 && ca.validToDate.getTime() <= now
  const cert = look(paths.cert)
  const faults = [
    ...dateFaults(cert, paths.cert, { unreadable: made, begin: `${rightClock} It makes a new one.`, end: made }, now),
    ...pairFaults(cert, paths.key, made),
    ...dateFaults(
      ca,
      paths.ca,
      {
        unreadable: withoutCa(folder),
        begin: `${rightClock} ${ifClockWasAhead(folder)}`,
        end: isOver ? `${rightClock} ${ifBoardsWereAway(folder)}` : nextAuthority
      },
      now
    )
  ]
  if (cert !== null && ca !== null && !cert.verify(ca.publicKey))
    faults.push({
      what: 'The certificate of the broker does not come from its CA, so that no board trusts it',
      where: paths.cert,
      do: made
    })
  if (ca !== null && !isPair(ca, readIfThere(paths.caKey)))
    faults.push({
      what: 'The key of the CA is missing or damaged, so that no certificate can be made when the one in use ends',
      where: paths.caKey,
      do: 'Put it back from a backup.'
    })
  return faults
}

function faultsOfOwn({ certFile, keyFile, caFile }: NonNullable<Settings['ownCertificate']>, now: number): Fault[] {
  const remedies = { unreadable: own, begin: rightClock, end: own }
  const cert = look(certFile)
  return [
    ...dateFaults(cert, certFile, remedies, now),
    ...pairFaults(cert, keyFile, ownKey),
    ...(caFile === null ? [] : dateFaults(look(caFile), caFile, remedies, now))
  ]
}

/** Returns the first certificate of a file; null when none can be read. */
function look(path: string): X509Certificate | null {
  try {
    return certificateIn(readIfThere(path))
  } catch {
    return null
  }
}

/** Checks the key. With a wrong one the broker cannot start, or no client can connect to it. */
function pairFaults(cert: X509Certificate | null, keyFile: string, remedy: string): Fault[] {
  if (cert === null || isPair(cert, readIfThere(keyFile))) return []
  return [{ what: 'The key of the certificate cannot be read, or belongs to another one', where: keyFile, do: remedy }]
}

function dateFaults(cert: X509Certificate | null, where: string, remedies: Remedies, now: number): Fault[] {
  if (cert === null) return [{ what: 'The certificate cannot be read', where, do: remedies.unreadable }]
  if (cert.validFromDate.getTime() > now)
    return [{ what: `The certificate is valid from ${dayOf(cert.validFromDate)} on`, where, do: remedies.begin }]
  const days = Math.floor((cert.validToDate.getTime() - now) / dayMs)
  if (days >= warnBeforeDays) return []
  const end = dayOf(cert.validToDate)
  const what = days < 0 ? `The certificate ended on ${end}` : `The certificate ends on ${end}`
  return [{ what, where, do: remedies.end }]
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
