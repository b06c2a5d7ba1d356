import type { ChangeCause, Outlet } from '@batti/contracts'

/**
 * What this tab knows of a board's state. `(bootId, seq)` names the report it stands for, `at` its time (ms, the
 * server's clock). `isFresh` is false while the page cannot know better: nothing may be shown as lit then.
 */
export interface DeviceLive {
  mac: string
  isOnline: boolean
  outlets: readonly Outlet[]
  bootId: string
  seq: number
  at: number
  /** When it last went online or offline, ms, where known. */
  onlineChangedAt: number | null
  isFresh: boolean
  /** Why the newest change happened, where an event told. */
  lastCause: { cause: ChangeCause; switchIndex: number | null; at: number } | null
}

/** Names a report: which boot of the board, and which of that boot. */
interface ReportName {
  bootId: string
  seq: number
  at: number
}

/**
 * Whether `next` may replace `current`: within one boot the higher number, between boots the later time. The server
 * never lets an earlier boot overwrite a later one, so its clock may decide between boots.
 */
export function isNewer(next: ReportName, current: ReportName): boolean {
  return next.bootId === current.bootId ? next.seq > current.seq : next.at > current.at
}

export function isSameReport(a: ReportName, b: ReportName): boolean {
  return a.bootId === b.bootId && a.seq === b.seq
}
