import type { ActionLogRecord } from '@batti/contracts'

/** The icon of a row: who or what caused a change, or that it did not happen. */
export type LogCause = 'person' | 'button' | 'schedule' | 'power' | 'api' | 'missed' | 'notice' | 'unknown'

export function causeOfLog({ kind, cause, from }: Pick<ActionLogRecord, 'kind' | 'cause' | 'from'>): LogCause {
  if (kind !== 'change') return kind
  const by = cause?.by
  switch (by) {
    case 'user':
      return 'person'
    case 'unknown':
    case undefined:
      // Rows from before causes were stored have only their source.
      return from === 'schedule'
        ? 'schedule'
        : from === 'web' || from === 'admin' || from === 'monitor'
          ? 'person'
          : 'unknown'
    default:
      return by
  }
}
