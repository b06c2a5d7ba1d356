import type { languages, MonitorPermission, Role } from '@batti/contracts'

export type Language = (typeof languages)[number]

/** The verified addresses of before a change: until then reset codes go there. */
export interface ResetGuard {
  email: string | null
  emailKey: string | null
  phone: string | null
  until: Date
}

/** An account as the database holds it. */
export interface AccountRecord {
  id: string
  name: string
  /** As shown. It logs in once it is verified; until then `loginEmail` does. */
  email: string
  emailKey: string
  /** The address that logs in and receives codes: the verified one, or the first that was given. */
  loginEmail: string
  loginEmailKey: string
  loginEmailVerified: boolean
  /** E.164, as shown. */
  phone: string | null
  /** The number that logs in and receives codes; of several accounts only one can have verified it. */
  loginPhone: string | null
  loginPhoneVerified: boolean
  phoneClaimedAt: Date | null
  resetGuard: ResetGuard | null
  address: string
  role: Role
  permissions: MonitorPermission[]
  /** Null until an invited monitor has set one. */
  passwordHash: string | null
  /** Key of the picture in the file store. */
  imageKey: string | null
  language: Language
  timezone: string | null
  /** Addresses that logged in, newest first: never locked out by strangers' failures. */
  knownIps: string[]
  /** Set while an account is being erased; nobody can log in to it any more. */
  deletingAt: Date | null
  createdAt: Date
}

export const isEmailVerified = (account: AccountRecord): boolean =>
  account.loginEmailVerified && account.emailKey === account.loginEmailKey

export const isPhoneVerified = (account: AccountRecord): boolean =>
  account.phone !== null && account.loginPhoneVerified && account.phone === account.loginPhone

export interface AccountQuery {
  role?: Role
  search?: string | undefined
  /** Field to sort by; a leading minus turns it round. Unknown fields mean newest first. */
  sort?: string | undefined
  skip: number
  limit: number
  /** Nobody asks how many there are: `total` says no more than how many came. */
  isUncounted?: boolean
}

export interface NewAccount {
  name: string
  email: string
  /** As typed, with or without country code. */
  phone: string | null
  countryCode?: string | undefined
  /** Null invites: a link to set one is mailed. */
  password: string | null
  role: Role
  permissions: MonitorPermission[]
  address?: string | undefined
  language?: Language | undefined
}

export interface AccountChanges {
  name?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  countryCode?: string | undefined
  role?: Role | undefined
  permissions?: MonitorPermission[] | undefined
  address?: string | undefined
  language?: Language | undefined
}

/** Who acts for somebody else, for the log. */
export interface ActingStaff {
  userId: string
  ip: string
  requestId: string
}

/** What staff do with accounts; features that list and edit people are given this. */
export interface AccountDirectory {
  list(query: AccountQuery): Promise<{ accounts: AccountRecord[]; total: number }>
  find(id: string): Promise<AccountRecord | null>
  /** @throws AppError CONFLICT when the e-mail logs somebody in already, VALIDATION for a phone or password that cannot be. */
  create(input: NewAccount, by: ActingStaff): Promise<AccountRecord>
  /** @throws AppError NOT_FOUND, CONFLICT, VALIDATION. The last admin stays an admin. */
  change(id: string, changes: AccountChanges, by: ActingStaff): Promise<AccountRecord>
  /**
   * Marks the account as leaving. What it answers erases it and all its data, once the mark is stored.
   * @throws AppError NOT_FOUND, CONFLICT for the last admin and for oneself.
   */
  beginErasure(id: string, by: ActingStaff): Promise<() => Promise<void>>
}

/** Of a call that staff make. */
export const actingStaff = ({
  actor,
  ip,
  requestId
}: {
  actor: { userId: string }
  ip: string
  requestId: string
}) => ({
  userId: actor.userId,
  ip,
  requestId
})
