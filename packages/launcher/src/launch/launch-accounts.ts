import { join } from 'node:path'
import type { Account } from './closing-block.ts'
import type { Settings } from '../config.ts'
import { demoPeople } from '../demo/demo-plan.ts'
import type { HomeKind } from '../data/home-kind.ts'
import { knownAccounts } from './known-accounts.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { localUrl } from '../local-call.ts'
import type { Secrets } from '../data/secrets.ts'

/** Returns the admin account that the api is started with. Settings of the environment come first. */
export function adminOf(secrets: Secrets, env: Settings['env']): Account {
  return {
    role: 'admin',
    email: env['ADMIN_EMAIL'] ?? demoPeople.admin.email,
    password: env['ADMIN_PASSWORD'] ?? secrets.ADMIN_PASSWORD
  }
}

/** Returns the home's accounts that can log in, with a note for each that cannot or may not be able to; none in production. */
export async function accountsHere(
  kind: HomeKind,
  { production, secrets, admin, ports, data, env }: LaunchPlan
): Promise<{ accounts: Account[]; notes: string[] }> {
  const planned = production ? [] : accountsOf(kind, secrets, admin)
  const { known, untried } = await knownAccounts(planned, {
    base: localUrl(ports.http),
    internal: { base: localUrl(ports.internal), secret: secrets.INTERNAL_SECRET },
    file: join(data, 'known-accounts.json'),
    isOwn: ({ password }) => password !== env['ADMIN_PASSWORD']
  })
  const accounts = planned.filter((account) => known.includes(account) || untried.includes(account))
  const unknown = planned.filter((account) => !accounts.includes(account))
  return {
    accounts,
    notes: [
      ...unknown.map(({ email }) => `${email} has no account here with the password of the settings.`),
      ...untried.map(({ email }) => `Whether ${email} can log in could not be tried: the api did not say.`)
    ]
  }
}

/** Returns the accounts that a home of this kind starts with. */
function accountsOf(kind: HomeKind, secrets: Secrets, admin: Account): Account[] {
  if (kind === 'empty') return [admin]
  return [
    { role: 'user', email: demoPeople.user.email, password: secrets.USER_PASSWORD },
    admin,
    { role: 'monitor', email: demoPeople.monitor.email, password: secrets.MONITOR_PASSWORD }
  ]
}
