import type { DeviceRecord } from '@batti/contracts'
import { useState } from 'react'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import type { CommandState } from '#web/lib/live/command-machine.ts'
import { viewOutlet } from '#web/lib/live/outlet-view.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { useCommands, useServices } from '#web/lib/services.ts'
import { bulkResult, hasFailed, type BulkResult } from './bulk-result.ts'

export interface BulkOutlet {
  device: DeviceRecord
  index: number
  result: BulkResult
}

export interface BulkRun {
  /** What was asked for last, or null before anything was. */
  wanted: boolean | null
  outlets: readonly BulkOutlet[]
  /** A command is under way somewhere: nothing more is taken. */
  isLocked: boolean
  start: (on: boolean) => void
  /** Commands once more, outlet by outlet, those that did not follow. */
  retryFailed: () => void
  dismiss: () => void
}

type Outlets = Readonly<Record<number, CommandState>>

const outletsOf = (device: DeviceRecord, live: DeviceLive | undefined, commands: Outlets | undefined) =>
  live === undefined
    ? []
    : live.outlets.map((_, index) => ({ device, view: viewOutlet(live, index, commands?.[index]) }))

/** All on, or all off, of one board or of several: one command per board, a result per outlet. */
export function useBulkRun(devices: readonly DeviceRecord[]): BulkRun {
  const { commander } = useServices()
  const commands = useCommands()
  const lives = useLiveStates(devices.map(({ deviceMac }) => deviceMac))
  const [wanted, setWanted] = useState<boolean | null>(null)

  const views = devices.flatMap((device, place) => outletsOf(device, lives[place], commands[device.deviceMac]))
  const isLocked = views.some(({ view }) => view.isLocked)
  const outlets =
    wanted === null
      ? []
      : views.map(({ device, view }) => ({ device, index: view.index, result: bulkResult(view, wanted) }))

  return {
    wanted,
    outlets,
    isLocked,
    start: (on) => {
      if (isLocked) return
      setWanted(on)
      devices.forEach((device, place) => {
        const live = lives[place]
        // A board that is known to be away is told by its result, not by a command that cannot arrive.
        if (live !== undefined && !(live.isFresh && !live.isOnline))
          commander.toggleAll(device.deviceMac, live.outlets.length, on)
      })
    },
    retryFailed: () => {
      if (wanted === null) return
      for (const { device, index, result } of outlets) {
        if (hasFailed(result)) commander.toggle(device.deviceMac, index, wanted)
      }
    },
    dismiss: () => setWanted(null)
  }
}
