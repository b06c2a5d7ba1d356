import type { QueryKey } from '@tanstack/react-query'
import { liveDeviceKey } from '#web/lib/live/live-devices.ts'
import { notify } from '#web/lib/notify.ts'
import { logViews, queryKeys, roomViews } from '#web/lib/query-keys.ts'
import type { Services } from '#web/lib/services.ts'
import { createLaterRefresh } from './later-refresh.ts'
import { dropFromBoardLists, patchBoardLists } from './patch-board-lists.ts'
import { patchSwitchViews } from './patch-switch-views.ts'

const loadSeldom = () => import('./apply-seldom-events.ts')
/** A board that is no longer under way: figures of its rollout change, which the event does not carry. */
const ends: ReadonlySet<string> = new Set(['done', 'failed', 'rolled-back', 'skipped'])

/** Rows of the log and what is read from them are stored while the screens are told: so long after, they are there. */
const storedAfterMs = 1000

/**
 * Socket events into the features' own caches; the boards' switches and presence are `lib/live`'s. A feature that shows
 * something an event changes adds its patch here. Answers its undo.
 */
export function followFeatureEvents({ connection, queryClient, clock, words }: Services): () => void {
  const refresh = createLaterRefresh(queryClient, clock, storedAfterMs)
  let wasAway = false
  /** A page that is older than the server's release cannot load the file any more: it asks for what the event is about. */
  const seldom = (about: readonly QueryKey[], apply: (of: Awaited<ReturnType<typeof loadSeldom>>) => void) =>
    void loadSeldom().then(apply, () => refresh.ask(about))
  const undo = [
    refresh.stop,
    connection.on('update-from-device', (event) => {
      patchBoardLists(queryClient, event)
      patchSwitchViews(queryClient, event)
      // Which boards a room has is the server's list; the other lists have been patched.
      if (event.update.setRoom !== undefined) refresh.ask([queryKeys.rooms, [...queryKeys.devices, 'by-room']])
    }),
    connection.on('device-removed', ({ deviceMac }) => {
      connection.leave(deviceMac)
      dropFromBoardLists(queryClient, deviceMac)
      queryClient.removeQueries({ queryKey: liveDeviceKey(deviceMac) })
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'live-device' })
    }),
    connection.on('switch-update', ({ cause }) => {
      refresh.ask(logViews)
      // One that runs once is inactive after it has run.
      if (cause.by === 'schedule') refresh.ask([queryKeys.schedules])
    }),
    // Nobody told what its board did between the list's answer and the snapshot with which a page begins to follow it.
    connection.onSnapshot(() => refresh.ask(logViews)),
    connection.on('notify-user', () => refresh.ask([queryKeys.actionLogs, queryKeys.schedules])),
    connection.on('firmware-progress', (event) =>
      seldom([queryKeys.devices], (apply) => apply.firmwareProgress(queryClient, event))
    ),
    connection.on('fleet-changed', (event) =>
      seldom([queryKeys.fleet, queryKeys.dashboard], (apply) => apply.fleetChanged(queryClient, event))
    ),
    connection.on('rollout-progress', (event) => {
      seldom([queryKeys.rollouts], (apply) => apply.rolloutProgress(queryClient, event))
      // The event has no state, no stages and no reasons; a screen that shows them asks, once a second at most.
      if (event.target === undefined || ends.has(event.target.phase)) refresh.ask([queryKeys.rollouts])
    }),
    connection.on('claim-progress', ({ step }) => {
      if (step === 'claimed' || step === 'online') refresh.ask([...roomViews, queryKeys.onTimes])
    }),
    connection.on('deviceStatus', ({ deviceMac, message, code }) =>
      notify.error(words(message, code), `device ${deviceMac}`)
    ),
    // What happened meanwhile nobody told: boards send their snapshots, everything else is asked for anew.
    connection.subscribe(() => {
      const status = connection.getState()
      if (status === 'reconnecting' || status === 'lost') wasAway = true
      if (status !== 'live' || !wasAway) return
      wasAway = false
      // Whether an update has ended meanwhile, the boards' records know.
      void queryClient.resetQueries({ queryKey: ['device-update'] })
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'live-device' })
    })
  ]
  return () => undo.forEach((run) => run())
}
