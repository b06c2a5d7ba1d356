import type { languages, MonitorPermission, Role } from '@batti/contracts'
import type { AuditedBy } from '../audit.ts'

export type Language = (typeof languages)[number]

/** The verified addresses from before a change: until then, reset codes go to them. */
export interface ResetGuard {
  email: string | null
  emailKey: string | null
  phone: string | null
  until: Date
}

/** An account as stored in the database. */
export interface AccountRecord {
  id: string
  name: string
  /** As shown. It can log in once it is verified; until then `loginEmail` does. */
  email: string
  emailKey: string
  /** The address that logs in and receives codes: the verified one, or the first one given. */
  loginEmail: string
  loginEmailKey: string
  loginEmailVerified: boolean
  /** E.164, as shown. */
  phone: string | null
  /** The number that logs in and receives codes; only one account can have verified it. */
  loginPhone: string | null
  loginPhoneVerified: boolean
  phoneClaimedAt: Date | null
  resetGuard: ResetGuard | null
  address: string
  role: Role
  permissions: MonitorPermission[]
  /** Null until an invited monitor has set a password. */
  passwordHash: string | null
  /** Key of the picture in the file store. */
  imageKey: string | null
  language: Language
  timezone: string | null
  /** Addresses of successful logins, newest first: never locked out by failures from elsewhere. */
  knownIps: string[]
  /** Set while an account is being erased; login is no longer possible. */
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
  /** Field to sort by; a leading minus reverses the order. Unknown fields sort newest first. */
  sort?: string | undefined
  skip: number
  limit: number
  /** The total is not needed: `total` is only the number of returned rows. */
  isUncounted?: boolean
}

export interface NewAccount {
  name: string
  email: string
  /** As typed, with or without country code. */
  phone: string | null
  countryCode?: string | undefined
  /** Null sends an invitation: a mail with a link to set a password. */
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

/** Who acts, for the log: staff for somebody else, or a person for themselves. */
export interface ActingPerson {
  userId: string
  ip: string
  requestId: string
}

/** Account operations of staff, for features that list and edit people. */
export interface AccountDirectory {
  list(query: AccountQuery): Promise<{ accounts: AccountRecord[]; total: number }>
  find(id: string): Promise<AccountRecord | null>
  /** @throws AppError CONFLICT when the e-mail already logs somebody in, VALIDATION for an invalid phone or password. */
  create(input: NewAccount, by: ActingPerson): Promise<AccountRecord>
  /** @throws AppError NOT_FOUND, CONFLICT, VALIDATION. The last admin cannot be demoted. */
  change(id: string, changes: AccountChanges, by: ActingPerson): Promise<AccountRecord>
  /**
   * Marks the account as being erased. Call the result once the mark is stored: it erases the account and all its data.
   * @throws AppError NOT_FOUND, CONFLICT for the last admin and for oneself.
   */
  beginErasure(id: string, by: ActingPerson): Promise<() => Promise<void>>
}

/** Takes the acting person from a call. */
export const actingPerson = ({ actor, ip, requestId }: AuditedBy): ActingPerson => ({
  userId: actor.userId,
  ip,
  requestId
})
