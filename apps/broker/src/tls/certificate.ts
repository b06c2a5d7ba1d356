import type { Clock } from '@batti/kit/clock'
import { dayMs } from '@batti/kit/durations'
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Credentials } from './tls-front.ts'

/** An expired certificate takes every board offline at once, so the warning begins 21 days before. */
const alarmMs = 21 * dayMs

export interface Certificate {
  current(): Credentials
  /** Milliseconds since the epoch. */
  expiresAt(): number
  /** Reads the files again and applies them with `putToUse`. Returns false, and keeps the old one, when they are unusable. */
  renew(): Promise<boolean>
  /** Polls the files for changes, and logs the expiry once a day. Returns a function that stops it. */
  watch(everyMs: number): () => void
}

/** Reads the broker's certificate and key. Rejects when a file cannot be read. `putToUse` applies a renewed one, or throws. */
export async function readCertificate(parts: {
  files: Pick<Config, 'certFile' | 'keyFile'>
  putToUse(renewed: Credentials): void
  log: Logger
  clock: Clock
}): Promise<Certificate> {
  const { files, putToUse, log, clock } = parts
  let current = await readCredentials(files)
  const expiresAt = (): number => new X509Certificate(current.cert).validToDate.getTime()

  async function renew(): Promise<boolean> {
    try {
      const renewed = await readCredentials(files)
      putToUse(renewed)
      current = renewed
      logExpiry()
      return true
    } catch (error) {
      log.error({ err: error }, 'certificate not renewed; the old one stays')
      return false
    }
  }

  function logExpiry(): void {
    const facts = { certificateExpiresAt: new Date(expiresAt()).toISOString() }
    if (expiresAt() - clock.now() < alarmMs) log.warn(facts, 'the certificate expires soon: renew it, then SIGHUP')
    else log.info(facts, 'certificate in use')
  }

  return {
    current: () => current,
    expiresAt,
    renew,
    watch(everyMs) {
      logExpiry()
      let loggedAt = clock.now()
      const look = async (): Promise<void> => {
        const found = await readCredentials(files).catch(() => current)
        if (found.cert !== current.cert || found.key !== current.key) await renew()
        if (clock.now() - loggedAt < dayMs) return
        loggedAt = clock.now()
        logExpiry()
      }
      const timer = setInterval(() => void look(), everyMs)
      return () => clearInterval(timer)
    }
  }
}

async function readCredentials({ certFile, keyFile }: Pick<Config, 'certFile' | 'keyFile'>): Promise<Credentials> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  return { cert, key }
}
