import { apiBasePath, loginPath, logoutPath } from '@batti/contracts/constants'
import { isRecord, parseJson } from '@batti/kit/json'
import type { Account } from './closing-block.ts'
import { localCall } from './local-call.ts'

const loginWithinMs = 30_000

/** Those that can log in at `base`: a database that was there before may have other people in it. No session stays behind. */
export async function knownAccounts(base: string, accounts: readonly Account[]): Promise<Account[]> {
  const known = await Promise.all(accounts.map((account) => canLogIn(base, account)))
  return accounts.filter((_, index) => known[index])
}

async function canLogIn(base: string, { email, password }: Account): Promise<boolean> {
  const call = (path: string, body: object) =>
    localCall(`${base}${apiBasePath}${path}`, { timeoutMs: loginWithinMs, body })
  const answer = await call(loginPath, { email, password })
  if (answer.status !== 200) return false
  const said = parseJson(answer.text)
  const data = isRecord(said) ? said['data'] : null
  const refreshToken = isRecord(data) ? data['refreshToken'] : null
  await call(logoutPath, { refreshToken })
  return true
}
