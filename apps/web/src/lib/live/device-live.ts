import type { ChangeCause, DeviceFirmware, Outlet } from '@batti/contracts'

/**
 * What this tab knows of a board's state. `(bootId, seq)` identifies its report, `at` is that report's time (ms, server
 * clock). `isFresh` is false while the state may be outdated: then nothing may be shown as lit.
 */
export interface DeviceLive {
  mac: string
  isOnline: boolean
  outlets: readonly Outlet[]
  bootId: string
  seq: number
  at: number
  /** Time of the last change of presence in ms, if known. */
  onlineChangedAt: number | null
  isFresh: boolean
  /** The update under way as the newest record had it; events tell its progress. */
  firmware: DeviceFirmware | null
  /** The cause of the newest change, if an event told it. `isLevel`: the outlet stayed on, at another level. */
  lastCause: { cause: ChangeCause; switchIndex: number | null; isLevel: boolean; at: number } | null
}

/** Identifies a report: the board's boot, and the report's number within it. */
interface ReportName {
  bootId: string
  seq: number
  at: number
}

/**
 * Returns whether `next` may replace `current`: within one boot the higher number wins, between boots the later time.
 * The server never lets an earlier boot overwrite a later one, so its clock may decide between boots.
 */
export function isNewer(next: ReportName, current: ReportName): boolean {
  return next.bootId === current.bootId ? next.seq > current.seq : next.at > current.at
}

export function isSameReport(a: ReportName, b: ReportName): boolean {
  return a.bootId === b.bootId && a.seq === b.seq
}
