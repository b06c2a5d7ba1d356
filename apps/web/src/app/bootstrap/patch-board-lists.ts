import type { DeviceUpdateEvent } from '@batti/contracts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { applyDeviceUpdate } from '#web/features/devices/api/apply-update-from-device.ts'
import type { DeviceList } from '#web/features/devices/api/list-devices.ts'
import { listKeyOf, queryKeys } from '#web/lib/query-keys.ts'
import { patchCached } from './patch-cached.ts'

/** Other queries below the boards' key (a staff table's page, a picker's choices) have another shape. */
const isBoardList = (cached: unknown): cached is DeviceList =>
  typeof cached === 'object' && cached !== null && 'devices' in cached

interface StaffPage {
  rows: DeviceList['devices']
}

type Boards = DeviceList['devices']

/** Applies a change to every cached list of boards. */
function changeBoardLists(queryClient: QueryClient, change: (boards: Boards) => Boards): void {
  patchCached<unknown>(queryClient, { queryKey: queryKeys.devices }, (cached) =>
    isBoardList(cached) ? { ...cached, devices: change(cached.devices) } : cached
  )
  patchCached<StaffPage>(queryClient, { queryKey: listKeyOf(queryKeys.devices) }, (page) => ({
    ...page,
    rows: change(page.rows)
  }))
}

/** Applies what a board reported of itself, or what somebody set, to the lists and to the record of an open page. */
export function patchBoardLists(queryClient: QueryClient, event: DeviceUpdateEvent): void {
  changeBoardLists(queryClient, (boards) => applyDeviceUpdate(boards, event))
  for (const queryKey of recordsOf(queryClient, event.deviceMac))
    patchCached<Boards[number]>(
      queryClient,
      { queryKey, exact: true },
      (board) => applyDeviceUpdate([board], event)[0] ?? board
    )
}

/** Returns the keys of a board's records. Queries about a board, such as its history, are below them. */
export const recordsOf = (queryClient: QueryClient, deviceMac: string): QueryKey[] =>
  queryClient
    .getQueriesData<Boards[number]>({ queryKey: ['device'], predicate: ({ queryKey }) => queryKey.length === 2 })
    .flatMap(([key, board]) => (board?.deviceMac === deviceMac ? [key] : []))

/** Removes a board that no longer belongs to this person. */
export const dropFromBoardLists = (queryClient: QueryClient, deviceMac: string): void =>
  changeBoardLists(queryClient, (boards) => boards.filter((board) => board.deviceMac !== deviceMac))
