import { outletOf, rememberedBoots, withStates, type DeviceReport, type Outlet } from '@batti/contracts'
import type { OutletChange } from '../../platform/events.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { Postponed } from './postponed.ts'

export type ReportOutcome =
  /**
   * New: the state is the report's now. `changed` are the outlets to tell and to log. `mayBeExplained`: a resync that
   * overtook earlier reports, which will say why. `found`: outlets that it does not name and that an earlier report has
   * changed, which is still to come or never does.
   */
  | { kind: 'applied'; changed: OutletChange[]; found: OutletChange[]; mayBeExplained: boolean }
  /** Older than what is known, but its own changes may still be missing from the log. */
  | { kind: 'late'; changed: OutletChange[]; found: OutletChange[] }
  /** The shape does not fit this board. */
  | { kind: 'misfit'; reason: string }

type KnownState = Pick<LiveDevice, 'outlets' | 'bootId' | 'seq' | 'earlierBoots'>

/**
 * Holds a report against what is known of its board. Pure: nothing is changed.
 * The newest (bootId, seq) wins, a boot that is not the current one and is remembered never does. `postponed`: what it had
 * to log when it came before.
 */
export function judgeReport(device: KnownState, report: DeviceReport, postponed?: Postponed): ReportOutcome {
  const { outlets } = device
  if (report.switch.length !== outlets.length) {
    const reason = `this board has ${outlets.length} outlets, the report has ${report.switch.length}`
    return { kind: 'misfit', reason }
  }
  const isCurrentBoot = report.bootId === device.bootId
  const isOlder = isCurrentBoot ? report.seq <= device.seq : device.earlierBoots.includes(report.bootId)
  const reported = (index: number): OutletChange[] => outletIn(outlets, report, index)
  if (isOlder) {
    const changed = postponed?.changed ?? report.changed ?? []
    const found = postponed?.found ?? []
    return { kind: 'late', changed: changed.flatMap(reported), found: found.flatMap(reported) }
  }

  // A gap in seq means that an earlier report is still to come: what that one says it changed is left for it to explain.
  const hasGap = report.seq > (isCurrentBoot ? device.seq + 1 : 1)
  const named = report.changed ?? []
  const isLeft = (index: number): boolean => hasGap && report.changed !== undefined && !named.includes(index)
  // Named, it changed, though a report that was lost may make it look as if it had not.
  const hasChanged = (outlet: Outlet, index: number): boolean => named.includes(index) || differs(outlet, report, index)
  const all = outlets.flatMap((outlet, index) => (hasChanged(outlet, index) ? reported(index) : []))
  return {
    kind: 'applied',
    changed: all.filter(({ index }) => !isLeft(index)),
    found: all.filter(({ index }) => isLeft(index)),
    mayBeExplained: hasGap && report.cause === 'resync'
  }
}

/** Writes an applied report into the live record. */
export function adoptReport(device: LiveDevice, report: DeviceReport, at: number): void {
  if (report.bootId !== device.bootId) beginBoot(device, report.bootId)
  device.seq = report.seq
  device.outlets = withStates(device.outlets, report)
  device.stateAt = at
  if (report.configRev !== undefined) device.configConfirmedRev = report.configRev
  if (report.schedulesRev !== undefined) device.schedulesConfirmedRev = report.schedulesRev
}

/** The board was powered up again: its earlier boot is remembered, so that it never overwrites this one. */
export function beginBoot(device: LiveDevice, bootId: string): void {
  if (device.bootId !== '') device.earlierBoots = [device.bootId, ...device.earlierBoots].slice(0, rememberedBoots - 1)
  device.bootId = bootId
  device.seq = 0
  device.conn = 0
}

/** What a report says of the level of an outlet that has none means nothing. */
function differs({ on, level }: Outlet, report: DeviceReport, index: number): boolean {
  return on !== report.switch[index] || (level !== undefined && level !== report.speed[index])
}

function outletIn(outlets: readonly Outlet[], report: DeviceReport, index: number): OutletChange[] {
  const known = outlets[index]
  const on = report.switch[index]
  if (known === undefined || on === undefined) return []
  return [{ index, ...outletOf(known.kind, on, report.speed[index] ?? 0) }]
}
