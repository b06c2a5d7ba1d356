import { genSaltSync } from 'bcrypt'
import { createHmac, randomBytes } from 'node:crypto'
import { invalid } from '../../../platform/app-error.ts'
import type { Bcrypt } from './bcrypt-threads.ts'
import type { PasswordQueue, Turn } from './password-queue.ts'

export interface PasswordGuard {
  before(): Promise<void>
  failed(): Promise<void>
  turn?: Turn
}

export interface Passwords {
  /** @throws AppError VALIDATION naming `path` for a commonly used password. */
  refuseCommon(password: string, path: string, own: readonly string[]): void
  hash(password: string, turn?: Turn): Promise<string>
  /**
   * Compares; takes equally long for a missing hash (`null`), so that timing does not reveal which accounts exist.
   * `guard` runs when the computation starts: it refuses a flood that was queued before the first failure was counted.
   */
  matches(password: string, hash: string | null, guard?: PasswordGuard): Promise<boolean>
  /** Whether a hash was made with a cost other than today's. */
  isOutdated(hash: string): boolean
}

/**
 * Hashes passwords with bcrypt. bcrypt reads 72 bytes and stops at a zero byte, so it gets a digest in base64. The digest
 * is an HMAC with a name of our own, so that leaked SHA-256 digests cannot be tried against our hashes. `run` limits
 * concurrency. `common` contains refused passwords in lower case.
 */
export function createPasswords(options: {
  bcrypt: Bcrypt
  cost: number
  common: ReadonlySet<string>
  run: PasswordQueue
}): Passwords {
  const { bcrypt, cost, common, run } = options
  const digest = (password: string) =>
    createHmac('sha256', 'batti/password/v1').update(password.normalize('NFKC')).digest('base64')
  const nobodys = hashOfNothing(cost)

  return {
    refuseCommon(password, path, own) {
      const plain = password.normalize('NFKC').toLowerCase()
      const isOwn = own.some((text) => text !== '' && plain === text.toLowerCase())
      if (common.has(plain) || isOwn || new Set(plain).size < 3) {
        throw invalid(path, 'This password is too easy to guess. Choose one that nobody would try first.')
      }
    },
    hash: (password, turn) => run(() => bcrypt.hash(digest(password), cost), turn),
    matches: (password, hash, guard) =>
      run(async () => {
        await guard?.before()
        const equal = await bcrypt.compare(digest(password), hash ?? nobodys)
        const matched = equal && hash !== null
        if (!matched) await guard?.failed()
        return matched
      }, guard?.turn),
    isOutdated: (hash) => !hash.startsWith(`$2b$${String(cost).padStart(2, '0')}$`)
  }
}

/** The length of bcrypt's 23-byte digest in its base64. */
const digestCharacters = 31

/** Returns a well-formed hash of no password: comparing with it takes as long as with any other of this cost. */
function hashOfNothing(cost: number): string {
  const digest = randomBytes(24).toString('base64').replaceAll('+', '.').slice(0, digestCharacters)
  return genSaltSync(cost) + digest
}
