import { outletOf, rememberedBoots, withStates, type DeviceReport, type Outlet } from '@batti/contracts'
import type { OutletChange } from '../../platform/events.ts'
import { isNewerReport, type LiveDevice } from '../registry/live-device.ts'
import type { Postponed } from './postponed-rows.ts'

export type ReportOutcome =
  /**
   * A new report: it becomes the state. `changed`: outlets to announce and to log. `mayBeExplained`: a resync that
   * overtook earlier reports, which will say why. `found`: outlets that the report does not name; an earlier report
   * changed them, and may still arrive.
   */
  | { kind: 'applied'; changed: OutletChange[]; found: OutletChange[]; mayBeExplained: boolean }
  /** Older than the known state, but its own changes may be missing from the log. */
  | { kind: 'late'; changed: OutletChange[]; found: OutletChange[] }
  /** The shape does not match this board. */
  | { kind: 'misfit'; reason: string }

type KnownState = Pick<LiveDevice, 'outlets' | 'bootId' | 'seq' | 'earlierBoots'>

/**
 * Compares a report with the known state of its board. Pure: changes nothing.
 * The newest (bootId, seq) wins; a remembered earlier boot never does. `postponed`: what the report had to log when it
 * first arrived.
 */
export function judgeReport(device: KnownState, report: DeviceReport, postponed?: Postponed): ReportOutcome {
  const { outlets } = device
  if (report.switch.length !== outlets.length) {
    const reason = `this board has ${outlets.length} outlets, the report has ${report.switch.length}`
    return { kind: 'misfit', reason }
  }
  const isCurrentBoot = report.bootId === device.bootId
  const reported = (index: number): OutletChange[] => outletIn(outlets, report, index)
  if (!isNewerReport(report, device)) {
    const changed = postponed?.changed ?? [...new Set(report.changed)]
    const found = postponed?.found ?? []
    return { kind: 'late', changed: changed.flatMap(reported), found: found.flatMap(reported) }
  }

  // A gap in seq means that an earlier report is still to come, and will explain the changes it names.
  const hasGap = report.seq > (isCurrentBoot ? device.seq + 1 : 1)
  const named = report.changed ?? []
  const isLeft = (index: number): boolean => hasGap && report.changed !== undefined && !named.includes(index)
  // An outlet that is named has changed, even if a lost report makes it look unchanged.
  const hasChanged = (outlet: Outlet, index: number): boolean => named.includes(index) || differs(outlet, report, index)
  const all = outlets.flatMap((outlet, index) => (hasChanged(outlet, index) ? reported(index) : []))
  return {
    kind: 'applied',
    changed: all.filter(({ index }) => !isLeft(index)),
    found: all.filter(({ index }) => isLeft(index)),
    mayBeExplained: hasGap && report.cause === 'resync'
  }
}

/** A state that is further ahead than this is from a clock that was set back since. */
const aheadMostMs = 1000

/**
 * Returns the time of a new report: several that a board sends at once get a millisecond each, because only their times tell the
 * order of their rows.
 */
export function timeOfNext({ stateAt }: Pick<LiveDevice, 'stateAt'>, now: number): number {
  return now <= stateAt && stateAt - now < aheadMostMs ? stateAt + 1 : now
}

/** Applies an accepted report to the live record. */
export function adoptReport(device: LiveDevice, report: DeviceReport, at: number): void {
  if (report.bootId !== device.bootId) beginBoot(device, report.bootId)
  device.seq = report.seq
  device.outlets = withStates(device.outlets, report)
  device.stateAt = at
  device.configConfirmedRev = plausibleRevision(report.configRev) ?? device.configConfirmedRev
  device.schedulesConfirmedRev = plausibleRevision(report.schedulesRev) ?? device.schedulesConfirmedRev
}

/** Ignores an absurd revision: the server continues counting from the one that a board confirms. */
const plausibleRevision = (rev: number | undefined): number | undefined =>
  rev !== undefined && rev < Number.MAX_SAFE_INTEGER / 2 ? rev : undefined

/** Starts a new boot after power-on. The earlier boot is remembered, so that its reports never overwrite this one. */
export function beginBoot(device: Pick<LiveDevice, 'bootId' | 'seq' | 'conn' | 'earlierBoots'>, bootId: string): void {
  if (device.bootId !== '') device.earlierBoots = [device.bootId, ...device.earlierBoots].slice(0, rememberedBoots - 1)
  device.bootId = bootId
  device.seq = 0
  device.conn = 0
}

/** A reported level is ignored for an outlet that has none. */
function differs({ on, level }: Outlet, report: DeviceReport, index: number): boolean {
  return on !== report.switch[index] || (level !== undefined && level !== report.speed[index])
}

function outletIn(outlets: readonly Outlet[], report: DeviceReport, index: number): OutletChange[] {
  const known = outlets[index]
  const on = report.switch[index]
  if (known === undefined || on === undefined) return []
  return [{ index, ...outletOf(known.kind, on, report.speed[index] ?? 0) }]
}
