import { createHash } from 'node:crypto'
import { apiBasePath, loginPath, logoutPath } from '@batti/contracts/constants'
import { internalPasswordMarksPath } from '@batti/contracts/http/own-paths'
import { isRecord, parseJson } from '@batti/kit/json'
import type { Account } from './closing-block.ts'
import { localCall } from '../local-call.ts'
import { readJsonObject, writePrivateFile } from '../data/private-file.ts'

const loginWithinMs = 30_000

export interface KnownAccountsOptions {
  /** Where people reach the api, and where its parts do. */
  base: string
  internal: { base: string; secret: string }
  /** Remembers who could log in; see `isOwn`. */
  file: string
  /** Whether the password was made by us: of one that a person chose nothing is kept that could be tried quickly. */
  isOwn(account: Account): boolean
}

/** `untried`: the api said neither yes nor no (it was overloaded, or had answered this address too often). */
export interface KnownAccounts {
  known: Account[]
  untried: Account[]
}

type Trial = 'known' | 'unknown' | 'untried'

/**
 * Those that can log in: a database that was there before may have other people in it. Whoever could before, with a password
 * that nobody has changed since, is not tried again, as that takes as long as any password does. No session stays behind.
 */
export async function knownAccounts(
  accounts: readonly Account[],
  options: KnownAccountsOptions
): Promise<KnownAccounts> {
  // In production none is printed, and no mark is told.
  if (accounts.length === 0) return { known: [], untried: [] }
  const marks = await passwordMarks(options.internal, accounts)
  const remembered = readJsonObject(options.file) ?? {}
  const proofs = new Map<Account, string>()
  for (const account of accounts) {
    const mark = marks[account.email]
    if (typeof mark === 'string' && options.isOwn(account)) proofs.set(account, proofOf(account, mark))
  }
  const trials = await Promise.all(
    accounts.map(async (account) => {
      const proof = proofs.get(account)
      const isProven = proof !== undefined && remembered[account.email] === proof
      return isProven ? 'known' : tryLogin(options.base, account)
    })
  )
  const those = (trial: Trial) => accounts.filter((_, index) => trials[index] === trial)
  const known = those('known')
  const proven = Object.fromEntries(
    known.flatMap((account) => {
      const proof = proofs.get(account)
      return proof === undefined ? [] : [[account.email, proof]]
    })
  )
  const text = `${JSON.stringify(proven, null, 2)}\n`
  if (text !== `${JSON.stringify(remembered, null, 2)}\n`) writePrivateFile(options.file, text)
  return { known, untried: those('untried') }
}

const proofOf = ({ password }: Account, mark: string): string =>
  createHash('sha256').update(`${password} ${mark}`).digest('base64url')

/** By e-mail; none where the api does not tell. */
async function passwordMarks(
  { base, secret }: KnownAccountsOptions['internal'],
  accounts: readonly Account[]
): Promise<Record<string, unknown>> {
  const body = { emails: accounts.map(({ email }) => email) }
  const answer = await localCall(`${base}${internalPasswordMarksPath}`, {
    timeoutMs: loginWithinMs,
    body,
    bearer: secret
  }).catch(() => null)
  const said = answer?.status === 200 ? parseJson(answer.text) : null
  return isRecord(said) && isRecord(said['marks']) ? said['marks'] : {}
}

async function tryLogin(base: string, { email, password }: Account): Promise<Trial> {
  const call = (path: string, body: object) =>
    localCall(`${base}${apiBasePath}${path}`, { timeoutMs: loginWithinMs, body }).catch(() => null)
  const answer = await call(loginPath, { email, password })
  if (answer === null || answer.status === 429 || answer.status >= 500) return 'untried'
  if (answer.status !== 200) return 'unknown'
  const said = parseJson(answer.text)
  const data = isRecord(said) ? said['data'] : null
  const refreshToken = isRecord(data) ? data['refreshToken'] : null
  await call(logoutPath, { refreshToken })
  return 'known'
}
