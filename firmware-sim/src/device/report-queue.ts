import { reportBacklogMin, reportRetryFirstMs, reportRetryMaxMs, type DeviceReport } from '@batti/contracts'

/** A report without the fields that the queue adds. */
export type ReportBody = Omit<DeviceReport, 'bootId' | 'seq'>

export interface PendingReport {
  readonly report: DeviceReport
  /** How often it was sent on the present connection. */
  readonly tries: number
  readonly dueAt: number
  /** When it was first sent; null before that. */
  readonly sentAt: number | null
}

/** Holds reports until the server has acknowledged them. */
export interface ReportQueue {
  readonly bootId: string
  readonly nextSeq: number
  /** In the order of `seq`. */
  readonly pending: readonly PendingReport[]
  /** How many reports were dropped since the last `resync`. */
  readonly dropped: number
}

export const createReportQueue = (bootId: string): ReportQueue => ({ bootId, nextSeq: 1, pending: [], dropped: 0 })

/** Adds a report that is due at once. Drops the oldest one when the queue is full. */
export function addReport(queue: ReportQueue, body: ReportBody, now: number): ReportQueue {
  const report: DeviceReport = { bootId: queue.bootId, seq: queue.nextSeq, ...body }
  const overflow = Math.max(0, queue.pending.length + 1 - reportBacklogMin)
  return {
    ...queue,
    nextSeq: queue.nextSeq + 1,
    pending: [...queue.pending.slice(overflow), { report, tries: 0, dueAt: now, sentAt: null }],
    dropped: queue.dropped + overflow
  }
}

/**
 * Adds a `resync` that states how many reports were dropped, including one that it displaces itself from a full queue.
 * It carries the whole state, so the server's state is correct again, although part of the history is lost.
 */
export function addResync(queue: ReportQueue, body: Omit<ReportBody, 'cause' | 'reason'>, now: number): ReportQueue {
  const roomy = queue.pending.length < reportBacklogMin
  const dropped = queue.dropped + (roomy ? 0 : 1)
  const reason = dropped > 0 ? { reason: `${dropped} ${dropped === 1 ? 'report was' : 'reports were'} dropped` } : {}
  return { ...addReport(queue, { ...body, cause: 'resync', ...reason }, now), dropped: 0 }
}

/** Tells whether a report with the whole state (`boot`, `resync`) is pending. */
export function holdsSnapshot(queue: ReportQueue): boolean {
  return queue.pending.some(({ report }) => report.cause === 'boot' || report.cause === 'resync')
}

/** Returns the reports that are due at `now`. Each is due again after 1, 2, 4 ... 30 s. */
export function takeDueReports(queue: ReportQueue, now: number): { queue: ReportQueue; reports: DeviceReport[] } {
  if (!queue.pending.some((entry) => entry.dueAt <= now)) return { queue, reports: [] }
  const reports: DeviceReport[] = []
  const pending = queue.pending.map((entry) => {
    if (entry.dueAt > now) return entry
    reports.push(entry.report)
    const waitMs = Math.min(reportRetryFirstMs * 2 ** Math.min(entry.tries, 20), reportRetryMaxMs)
    return { ...entry, tries: entry.tries + 1, dueAt: now + waitMs, sentAt: entry.sentAt ?? now }
  })
  return { queue: { ...queue, pending }, reports }
}

/** Makes all pending reports due again, for a new connection. */
export function makeAllDue(queue: ReportQueue, now: number): ReportQueue {
  return { ...queue, pending: queue.pending.map((entry) => ({ ...entry, tries: 0, dueAt: now })) }
}

/** Removes the report that the server has stored or finally rejected. Ignores acknowledgements for another boot. */
export function acknowledge(queue: ReportQueue, ack: { bootId: string; seq: number }): ReportQueue {
  if (ack.bootId !== queue.bootId) return queue
  const pending = queue.pending.filter((entry) => entry.report.seq !== ack.seq)
  return pending.length === queue.pending.length ? queue : { ...queue, pending }
}

/** Returns when the acknowledged report was first sent; null for a report that is not pending. */
export function firstSentAt(queue: ReportQueue, ack: { bootId: string; seq: number }): number | null {
  if (ack.bootId !== queue.bootId) return null
  return queue.pending.find((entry) => entry.report.seq === ack.seq)?.sentAt ?? null
}

/** Returns when the next report is due, or Infinity. */
export function nextReportAt(queue: ReportQueue): number {
  return queue.pending.reduce((earliest, entry) => Math.min(earliest, entry.dueAt), Infinity)
}
