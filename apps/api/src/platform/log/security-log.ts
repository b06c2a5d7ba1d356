import type { Logger } from 'pino'
import { afterCommit } from '../after-commit.ts'

/** Every event that an investigation would ask for. */
export type SecurityEvent =
  | 'registration-started'
  | 'registration-completed'
  | 'login'
  | 'login-failed'
  | 'login-limited'
  | 'logout'
  | 'session-ended'
  | 'refresh-token-reused'
  | 'code-sent'
  | 'code-failed'
  | 'code-limited'
  | 'email-verified'
  | 'phone-verified'
  | 'phone-taken-over'
  | 'email-changed'
  | 'phone-changed'
  | 'address-change-undone'
  | 'password-changed'
  | 'password-reset'
  | 'password-confirmation-failed'
  | 'account-created'
  | 'account-changed'
  | 'role-changed'
  | 'permissions-changed'
  | 'account-deleted'
  | 'address-blocked'
  | 'address-unblocked'
  | 'unauthorized-log-deleted'

export interface SecurityFacts {
  /** Id of the acting account; absent for strangers. Never an address or a name. */
  actor?: string | undefined
  /** Id of the affected account, if it is another one. */
  account?: string | undefined
  ip?: string | undefined
  requestId?: string | undefined
  detail?: string | undefined
}

export type SecurityLog = (event: SecurityEvent, facts: SecurityFacts) => void

/** Writes one JSON line in UTC for each event, once its change is stored, without secrets or personal data. */
export function createSecurityLog(log: Logger): SecurityLog {
  return (event, facts) => afterCommit(() => log.info({ security: event, ...facts }, `security: ${event}`))
}
