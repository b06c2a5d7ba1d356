import { dayMs, hourMs, minuteMs } from '@batti/kit/durations'
import type { Limit } from '../../platform/http/limits/rate-limits.ts'

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
  loginsPerIp: { name: 'login-ip', by: 'address', points: 20, windowMs: 15 * minuteMs },
  loginsPerKnownPlace: { name: 'login-known', points: 20, windowMs: 15 * minuteMs },
  loginsPerAccount: { name: 'login-account', points: 50, windowMs: dayMs },
  registrationsPerIp: { name: 'register-ip', by: 'address', points: 300, windowMs: hourMs },
  registrationsPerEmail: { name: 'register-email', points: 10, windowMs: hourMs },
  mailCodesPerIp: { name: 'mail-ip', by: 'address', points: 300, windowMs: hourMs },
  mailCodesPerReceiver: { name: 'mail-to', points: 10, windowMs: hourMs },
  textsPerNumber: { name: 'text-to', points: 5, windowMs: hourMs },
  textsPerIp: { name: 'text-ip', by: 'address', points: 20, windowMs: hourMs },
  textsPerDay: { name: 'text-all', points: 1000, windowMs: dayMs },
  wrongCodesPerIp: { name: 'code-ip', by: 'address', points: 100, windowMs: hourMs },
  confirmationsPerAccount: { name: 'confirm', points: 10, windowMs: 15 * minuteMs },
  addressChangesPerAccount: { name: 'addresses', points: 20, windowMs: hourMs }
}
