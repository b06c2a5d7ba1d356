import { statSync } from 'node:fs'
import type { TrustedKey } from '@batti/firmware/image-block'
import { readTrustedKey } from '@batti/firmware/key-files'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import type { Trust } from './choose-firmware.ts'

export interface TrustedKeys {
  /** Whether images must be signed. */
  isRequired: boolean
  current(): readonly TrustedKey[]
  /** Returns the trust settings that, with an image's own facts, decide whether it may be distributed now. */
  trust(): Trust
}

/** Key files are checked again after this long, so that a removed key ends within seconds. */
const lookAgainMs = 1000

/** The keys of `FIRMWARE_TRUSTED_KEYS`. An unreadable file counts as an untrusted key. */
export function createTrustedKeys(options: {
  files: readonly string[]
  clock: Clock
  log: Logger
  onChanged(): void
}): TrustedKeys {
  const { files, clock, log, onChanged } = options
  let lookedAt = -Infinity
  let seen = ''
  let keys: readonly TrustedKey[] = []

  function stampOf(file: string): string {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats === undefined ? 'gone' : `${stats.ino}:${stats.size}:${stats.mtimeMs}`
  }

  function read(file: string): TrustedKey[] {
    try {
      return [readTrustedKey(file)]
    } catch (error) {
      log.warn({ err: error }, 'a key of FIRMWARE_TRUSTED_KEYS is not trusted')
      return []
    }
  }

  function current(): readonly TrustedKey[] {
    const now = clock.now()
    if (Math.abs(now - lookedAt) < lookAgainMs) return keys
    lookedAt = now
    const stamp = files.map(stampOf).join()
    if (stamp === seen) return keys
    seen = stamp
    keys = files.flatMap(read)
    onChanged()
    return keys
  }

  const isRequired = files.length > 0
  return { isRequired, current, trust: () => ({ isRequired, keyIds: new Set(current().map(({ keyId }) => keyId)) }) }
}
