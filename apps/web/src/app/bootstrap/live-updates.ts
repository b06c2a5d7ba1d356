import type { QueryKey } from '@tanstack/react-query'
import { readChanged } from '#web/lib/api/read-changed.ts'
import { liveDeviceKey } from '#web/lib/live/live-devices.ts'
import { notify } from '#web/lib/notify.ts'
import { logViews, queryKeys, roomViews, switchViews } from '#web/lib/query-keys.ts'
import type { Services } from '#web/lib/services.ts'
import { createLaterRefresh } from './later-refresh.ts'
import { dropFromBoardLists, patchBoardLists } from './patch-board-lists.ts'
import { patchSwitchViews } from './patch-switch-views.ts'

const loadRare = () => import('./apply-rare-events.ts')
/** Final phases of a board's update. They change figures of its rollout that the event does not carry. */
const ends: ReadonlySet<string> = new Set(['done', 'failed', 'rolled-back', 'skipped'])

/** Log rows, and what is derived from them, are stored while the event is sent. After this delay they can be read. */
const storedAfterMs = 1000

/**
 * Applies socket events to the features' caches; switch states and presence belong to `lib/live`. A feature that shows
 * something an event changes adds its patch here. Returns the undo function.
 */
export function followFeatureEvents({ connection, queryClient, clock, words }: Services): () => void {
  const refresh = createLaterRefresh(queryClient, clock, storedAfterMs)
  let wasAway = false
  /** A page older than the server's release can no longer load the file: it refetches the queries of the event instead. */
  const rare = (about: readonly QueryKey[], apply: (of: Awaited<ReturnType<typeof loadRare>>) => void) =>
    void loadRare().then(apply, () => refresh.ask(about))
  const undo = [
    refresh.stop,
    connection.on('update-from-device', (event) => {
      patchBoardLists(queryClient, event)
      patchSwitchViews(queryClient, event)
      const { setRoom, switchFavorites, schedulesRev } = event.update
      if (switchFavorites !== undefined) refresh.ask(switchViews)
      if (schedulesRev !== undefined) refresh.ask([queryKeys.schedules, queryKeys.dashboard])
      // The server decides which rooms there are, and which boards a room lists; the other lists are patched already.
      if (setRoom !== undefined)
        refresh.ask([queryKeys.rooms, queryKeys.home, queryKeys.dashboard, [...queryKeys.devices, 'by-room']])
    }),
    connection.on('device-removed', ({ deviceMac }) => {
      connection.leave(deviceMac)
      dropFromBoardLists(queryClient, deviceMac)
      queryClient.removeQueries({ queryKey: liveDeviceKey(deviceMac) })
      void readChanged(queryClient, { predicate: ({ queryKey }) => queryKey[0] !== 'live-device' })
    }),
    connection.on('switch-update', ({ cause }) => {
      refresh.ask(logViews)
      // A schedule that runs once is inactive after it has run.
      if (cause.by === 'schedule') refresh.ask([queryKeys.schedules])
    }),
    // Changes between the list's answer and the first snapshot of a board sent no event to this page.
    connection.onSnapshot(() => refresh.ask(logViews)),
    connection.on('notify-user', () => refresh.ask([queryKeys.actionLogs, queryKeys.schedules])),
    connection.on('firmware-progress', (event) =>
      rare([queryKeys.devices], (apply) => apply.firmwareProgress(queryClient, event, refresh.ask))
    ),
    connection.on('fleet-changed', (event) =>
      rare([queryKeys.fleet, queryKeys.dashboard], (apply) => apply.fleetChanged(queryClient, event, refresh.ask))
    ),
    connection.on('rollout-progress', (event) => {
      rare([queryKeys.rollouts], (apply) => apply.rolloutProgress(queryClient, event))
      // The event carries no state, stages or reasons; a screen that shows them refetches, at most once a second.
      if (event.target === undefined || ends.has(event.target.phase)) refresh.ask([queryKeys.rollouts])
    }),
    connection.on('claim-progress', ({ step }) => {
      if (step === 'claimed' || step === 'online') refresh.ask([...roomViews, queryKeys.onTimes])
    }),
    connection.on('deviceStatus', ({ deviceMac, message, code }) =>
      notify.error(words(message, code), `device ${deviceMac}`)
    ),
    // Events during the interruption were missed: boards send their snapshots, and everything else is refetched.
    connection.subscribe(() => {
      const status = connection.getState()
      if (status === 'reconnecting' || status === 'lost') wasAway = true
      if (status !== 'live' || !wasAway) return
      wasAway = false
      // The boards' records know whether an update has ended meanwhile.
      void queryClient.resetQueries({ queryKey: ['device-update'] })
      void readChanged(queryClient, { predicate: ({ queryKey }) => queryKey[0] !== 'live-device' })
    })
  ]
  return () => undo.forEach((run) => run())
}
