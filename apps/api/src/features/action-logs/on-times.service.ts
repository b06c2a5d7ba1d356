import { defaultTimezone, hasLevel } from '@batti/contracts'
import { isStaff, type Actor } from '../../platform/people/actor.ts'
import { invalid, notFound, unknownZone } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import { createSemaphore } from '@batti/kit/semaphore'
import type { FairShare } from '../../platform/http/limits/fair-share.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import { isTimeZone } from '../../platform/time-zone.ts'
import type { ActionLogsRepository } from './action-logs.repository.ts'
import { lastDays, onSpans, secondsPerDay } from './on-time.ts'

/** Few enough that the chart of a large home leaves connections to the database for other calls. */
const lookupsAtOnce = 4

export interface OnTimesOptions {
  actionLogs: Pick<ActionLogsRepository, 'changesSince' | 'stateBefore'>
  directory: Pick<DeviceDirectory, 'ofUser' | 'find'>
  clock: Clock
  /** Takes turns, by account, of reads that are long in a long log. */
  longReads: FairShare
  /** Returns since when boards have their current owner, in milliseconds; only for boards that changed hands or were assigned. */
  ownedSince(deviceIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Returns the board of a switch; null if there is no such switch. */
  deviceIdOfSwitch(switchId: string): Promise<string | null>
}

/** One switch, all switches of one board, or all of an owner. */
interface Which {
  switchId?: string | undefined
  deviceId?: string | undefined
}

interface KnownSwitch {
  deviceId: string
  switchId: string
  switchName: string
  hasLevel: boolean
  isOn: boolean
}

/** Computes on-times from the log of confirmed changes. */
export function createOnTimesService(options: OnTimesOptions) {
  const { actionLogs, directory, clock, longReads, deviceIdOfSwitch } = options

  async function devicesFor(actor: Actor, { switchId, deviceId }: Which): Promise<LiveDevice[]> {
    if (switchId === undefined && deviceId === undefined) {
      if (isStaff(actor)) {
        throw invalid('switchId', 'say which switch or board; the log of every home is too long for one chart')
      }
      return directory.ofUser(actor.userId)
    }
    const wanted = switchId === undefined ? deviceId : await deviceIdOfSwitch(switchId)
    const device = wanted === undefined || wanted === null ? null : await directory.find(wanted)
    if (device === null || (!isStaff(actor) && device.userId !== actor.userId)) {
      throw notFound(switchId === undefined ? 'Device' : 'Switch')
    }
    return [device]
  }

  return {
    /**
     * GET /switch-on-times: spans and seconds per local day of each switch, today last. The zone is the requested one, else
     * that of the first board, else Asia/Kathmandu.
     * @throws NOT_FOUND for a switch or board that is not the caller's, VALIDATION for an unknown zone.
     */
    async list(actor: Actor, query: Which & { days: number; timezone?: string | undefined }) {
      if (query.timezone !== undefined && !isTimeZone(query.timezone)) throw unknownZone('timezone')
      const devices = await devicesFor(actor, query)
      const homeZone = devices.map((device) => device.timezone).find(isTimeZone)
      const timezone = query.timezone ?? homeZone ?? defaultTimezone
      const window = lastDays(query.days, clock.now(), timezone)
      const since = new Date(window.from)
      // A board that changed hands shows nothing of its previous home.
      const owner = isStaff(actor) ? (devices[0]?.userId ?? null) : actor.userId
      const whose = owner === null ? {} : { userId: owner }

      const ownedSince = await options.ownedSince(devices.map(({ id }) => id))
      const switches = devices.flatMap(switchesOf).filter(({ switchId }) => (query.switchId ?? switchId) === switchId)
      const isOne = query.switchId !== undefined || query.deviceId !== undefined
      const one = {
        ...(isOne && devices[0] !== undefined && { deviceId: devices[0].id }),
        ...(query.switchId !== undefined && { switchId: query.switchId })
      }
      const bySwitch = await longReads(actor.userId, () => actionLogs.changesSince({ ...whose, ...one }, since))
      const inTurn = createSemaphore(lookupsAtOnce)
      const histories = switches.map(async ({ deviceId, switchId, switchName, isOn, ...known }) => {
        const from = Math.max(window.from, ownedSince.get(deviceId) ?? 0)
        // If a home had the board before and has it again, there are rows from the earlier time.
        const own = (bySwitch.get(switchId) ?? []).filter(({ at }) => at >= from)
        // A switch that turned on was off before. Only one with a level may have been on: the row may be a level change.
        const isUncertain = known.hasLevel && own[0]?.state === true
        const before = isUncertain
          ? await inTurn.run(() => actionLogs.stateBefore({ ...whose, deviceId, switchId }, since))
          : null
        const spans = onSpans(own, { from, to: window.to, before, current: isOn })
        return { switchId, switchName, days: secondsPerDay(spans, window.days), spans }
      })
      return { timezone, switches: await Promise.all(histories) }
    }
  }
}
export type OnTimesService = ReturnType<typeof createOnTimesService>

function switchesOf(device: LiveDevice): KnownSwitch[] {
  return device.outlets.flatMap(({ switchId, name, kind, on }) =>
    switchId === '' ? [] : [{ deviceId: device.id, switchId, switchName: name, hasLevel: hasLevel(kind), isOn: on }]
  )
}
