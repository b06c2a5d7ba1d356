import { createHash } from 'node:crypto'
import { apiBasePath, loginPath, logoutPath } from '@batti/contracts/constants'
import { internalPasswordMarksPath } from '@batti/contracts/http/own-paths'
import { isRecord, parseJson } from '@batti/kit/json'
import type { Account } from './closing-block.ts'
import { localCall } from '../local-call.ts'
import { readJsonObject, writePrivateFile } from '../data/private-file.ts'

const loginWithinMs = 30_000

export interface KnownAccountsOptions {
  /** The api's public address; `internal` is the one for the other parts. */
  base: string
  internal: { base: string; secret: string }
  /** Stores which accounts could log in; see `isOwn`. */
  file: string
  /** Whether the launcher generated the password. Of a password that a person chose no fast hash is stored. */
  isOwn(account: Account): boolean
}

/** `untried`: the api neither accepted nor denied the login (it was overloaded, or applied its rate limit). */
export interface KnownAccounts {
  known: Account[]
  untried: Account[]
}

type Trial = 'known' | 'unknown' | 'untried'

/**
 * Finds the accounts that can log in; an older database may contain other people. An account that could log in before, and
 * whose password is unchanged since, is not tried again, because password hashing is slow. Leaves no session behind.
 */
export async function knownAccounts(
  accounts: readonly Account[],
  options: KnownAccountsOptions
): Promise<KnownAccounts> {
  // In production no account is printed, and the api returns no marks.
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
  // JSON omits the accounts without a proof.
  const proven = Object.fromEntries(known.map((account) => [account.email, proofs.get(account)]))
  const text = `${JSON.stringify(proven, null, 2)}\n`
  if (text !== `${JSON.stringify(remembered, null, 2)}\n`) writePrivateFile(options.file, text)
  return { known, untried: those('untried') }
}

const proofOf = ({ password }: Account, mark: string): string =>
  createHash('sha256').update(`${password} ${mark}`).digest('base64url')

/** Asks the api for marks that change with each password. Returns them by e-mail address; none when the api refuses. */
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
