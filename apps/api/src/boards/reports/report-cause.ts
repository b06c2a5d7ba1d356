import type { ChangeCause, DeviceReport } from '@batti/contracts'

/**
 * Returns the cause as the board's owner may read it. Another person at home can only be the previous owner, of whom
 * nothing is revealed. Staff appear by name.
 */
export function asOwnerSees(cause: ChangeCause, ownerId: string | null): ChangeCause {
  const isStaff = cause.from === 'admin' || cause.from === 'monitor'
  if (isStaff || cause.userId === undefined || cause.userId === ownerId) return cause
  return { by: 'unknown', from: cause.from }
}

export const bySchedule = (scheduleId: string): ChangeCause => ({ by: 'schedule', from: 'schedule', scheduleId })

/** Returns the cause of a report. `ofCommand` is the cause of the command that it answers, if any. */
export function causeOf(report: DeviceReport, ofCommand: ChangeCause | undefined): ChangeCause {
  switch (report.cause) {
    case 'command':
      return ofCommand ?? { by: 'unknown', from: 'board' }
    case 'button':
      return { by: 'button', from: 'board' }
    case 'schedule':
      // An entry id is `<scheduleId>:start` or `<scheduleId>:end`.
      return report.scheduleId === undefined
        ? { by: 'schedule', from: 'schedule' }
        : bySchedule(report.scheduleId.split(':')[0] ?? '')
    case 'boot':
      return { by: 'power', from: 'board' }
    case 'config':
    case 'resync':
      return { by: 'unknown', from: 'board' }
  }
}
