import type { DeviceRecord } from '@batti/contracts'
import { useState } from 'react'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import type { CommandState } from '#web/lib/live/command-machine.ts'
import { isUnknown, viewOutlet, type OutletView } from '#web/lib/live/outlet-view.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { useCommands, useServices } from '#web/lib/services.ts'
import { bulkResult, hasFailed, settledResult, type BulkResult } from './bulk-result.ts'

export interface BulkOutlet {
  device: DeviceRecord
  index: number
  result: BulkResult
}

export interface BulkRun {
  /** The last requested state, or null before the first. */
  wanted: boolean | null
  outlets: readonly BulkOutlet[]
  /** A command is pending: further ones are refused. */
  isLocked: boolean
  /** At least one board can be reached. */
  canStart: boolean
  start: (on: boolean) => void
  /** Repeats the command for each outlet that failed. */
  retryFailed: () => void
  dismiss: () => void
}

type Outlets = Readonly<Record<number, CommandState>>

const outletsOf = (device: DeviceRecord, live: DeviceLive | undefined, commands: Outlets | undefined) =>
  live === undefined
    ? []
    : live.outlets.map((_, index) => ({ device, view: viewOutlet(live, index, commands?.[index]) }))

interface Run {
  wanted: boolean
  /** Time of the last request, monotonic ms. */
  startedAt: number
  results: Readonly<Record<string, BulkResult>>
}

/** A later report belongs to something else. */
const lateMs = 10_000

/** All on, or all off, for one or several boards: one command per board, a result per outlet. */
export function useBulkRun(devices: readonly DeviceRecord[]): BulkRun {
  const { commander, clock } = useServices()
  const commands = useCommands()
  const lives = useLiveStates(devices.map(({ deviceMac }) => deviceMac))
  const [run, setRun] = useState<Run | null>(null)

  const views = devices.flatMap((device, place) => outletsOf(device, lives[place], commands[device.deviceMac]))
  const isLocked = views.some(({ view }) => view.isLocked)
  // Stores each outlet's result. It is computed during rendering, so that no outdated state is shown.
  if (run !== null) {
    const results = resultsOf(run, views, clock.monotonic() - run.startedAt <= lateMs)
    if (results !== run.results) setRun({ ...run, results })
  }
  const outlets =
    run === null
      ? []
      : views.map(({ device, view }) => ({
          device,
          index: view.index,
          result: run.results[keyOf(device, view)] ?? 'waiting'
        }))

  return {
    wanted: run?.wanted ?? null,
    outlets,
    isLocked,
    canStart: !isLocked && views.some(({ view }) => !isUnknown(view)),
    start: (on) => {
      if (isLocked) return
      setRun({ wanted: on, startedAt: clock.monotonic(), results: {} })
      devices.forEach((device, place) => {
        const live = lives[place]
        // A board known to be offline gets no command; its result says "offline".
        if (live !== undefined && !(live.isFresh && !live.isOnline))
          commander.toggleAll(device.deviceMac, live.outlets.length, on)
      })
    },
    retryFailed: () => {
      if (run === null) return
      setRun({ ...run, startedAt: clock.monotonic() })
      for (const { device, index, result } of outlets) {
        if (hasFailed(result)) commander.toggle(device.deviceMac, index, run.wanted)
      }
    },
    dismiss: () => setRun(null)
  }
}

type ShownOutlet = ReturnType<typeof outletsOf>[number]

const keyOf = (device: DeviceRecord, view: OutletView) => `${device._id} ${view.index}`

/** Returns the results with new ones added; the same object if there are none. */
function resultsOf({ wanted, results }: Run, shown: readonly ShownOutlet[], isLateOk: boolean): Run['results'] {
  const changed = shown.flatMap(({ device, view }) => {
    const key = keyOf(device, view)
    const result = settledResult(results[key], bulkResult(view, wanted), isLateOk)
    return result === results[key] ? [] : [[key, result] as const]
  })
  return changed.length === 0 ? results : { ...results, ...Object.fromEntries(changed) }
}
