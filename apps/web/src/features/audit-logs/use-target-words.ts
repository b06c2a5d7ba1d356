import type { AuditLogRecord } from '@batti/contracts'
import { useCallback } from 'react'
import { useSessionName } from '#web/lib/records/use-session-name.ts'

/** Names what was changed by its label; a session by its browser and system. */
export function useTargetWords(): (log: AuditLogRecord) => string {
  const sessionName = useSessionName()
  return useCallback(
    ({ target, changes }) => {
      if (target.kind !== 'session') return target.label
      const userAgent = changes.find(({ field }) => field === 'userAgent')?.before
      return sessionName(typeof userAgent === 'string' ? userAgent : '')
    },
    [sessionName]
  )
}
