import type { Limit } from '../../platform/http/limits/rate-limits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How often strangers may try. Only failures count, except where something is sent or created. */
export interface AccountLimits {
  /** Failed logins per address, for any account that never logged in there. */
  loginsPerIp: Limit
  /** Failed logins per account and address that it has logged in from. */
  loginsPerKnownPlace: Limit
  /** Failed logins per account, from addresses that never logged in to it. */
  loginsPerAccount: Limit
  /** Sign-ups per address and per e-mail. */
  registrationsPerIp: Limit
  registrationsPerEmail: Limit
  /** Mailed codes per requesting address, and per receiver. */
  mailCodesPerIp: Limit
  mailCodesPerReceiver: Limit
  /** Text messages: they cost money, and some fraudsters earn by them. */
  textsPerNumber: Limit
  textsPerIp: Limit
  textsPerDay: Limit
  /** Wrong codes and links per address. */
  wrongCodesPerIp: Limit
  /** Wrong passwords in confirmations of a logged-in account: change, delete. */
  confirmationsPerAccount: Limit
  /** Changes of e-mail or phone: each sends a mail. */
  addressChangesPerAccount: Limit
}

/** The limits per address are generous, because several homes may share one. */
export const defaultAccountLimits: AccountLimits = {
  loginsPerIp: { name: 'login-ip', by: 'address', points: 20, windowMs: 15 * minute },
  loginsPerKnownPlace: { name: 'login-known', points: 20, windowMs: 15 * minute },
  loginsPerAccount: { name: 'login-account', points: 50, windowMs: day },
  registrationsPerIp: { name: 'register-ip', by: 'address', points: 300, windowMs: hour },
  registrationsPerEmail: { name: 'register-email', points: 10, windowMs: hour },
  mailCodesPerIp: { name: 'mail-ip', by: 'address', points: 300, windowMs: hour },
  mailCodesPerReceiver: { name: 'mail-to', points: 10, windowMs: hour },
  textsPerNumber: { name: 'text-to', points: 5, windowMs: hour },
  textsPerIp: { name: 'text-ip', by: 'address', points: 20, windowMs: hour },
  textsPerDay: { name: 'text-all', points: 1000, windowMs: day },
  wrongCodesPerIp: { name: 'code-ip', by: 'address', points: 100, windowMs: hour },
  confirmationsPerAccount: { name: 'confirm', points: 10, windowMs: 15 * minute },
  addressChangesPerAccount: { name: 'addresses', points: 20, windowMs: hour }
}
