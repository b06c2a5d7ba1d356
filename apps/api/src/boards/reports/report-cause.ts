import type { ChangeCause, DeviceReport } from '@batti/contracts'

/**
 * The same cause as the board's owner may read it. Somebody else at home can only be who had the board before: of them
 * nothing is told. Staff appear by name.
 */
export function asOwnerSees(cause: ChangeCause, ownerId: string | null): ChangeCause {
  const isStaff = cause.from === 'admin' || cause.from === 'monitor'
  if (isStaff || cause.userId === undefined || cause.userId === ownerId) return cause
  return { by: 'unknown', from: cause.from }
}

/** Why a report says what it says; `ofCommand` is the cause of the command that it answers, where there was one. */
export function causeOf(report: DeviceReport, ofCommand: ChangeCause | undefined): ChangeCause {
  switch (report.cause) {
    case 'command':
      return ofCommand ?? { by: 'unknown', from: 'board' }
    case 'button':
      return { by: 'button', from: 'board' }
    case 'schedule':
      // An entry's id is `<scheduleId>:start` or `<scheduleId>:end`.
      return {
        by: 'schedule',
        from: 'schedule',
        ...(report.scheduleId === undefined ? {} : { scheduleId: report.scheduleId.split(':')[0] ?? '' })
      }
    case 'boot':
      return { by: 'power', from: 'board' }
    case 'config':
    case 'resync':
      return { by: 'unknown', from: 'board' }
  }
}
