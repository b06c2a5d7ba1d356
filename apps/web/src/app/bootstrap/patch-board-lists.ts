import type { DeviceUpdateEvent } from '@batti/contracts'
import type { QueryClient } from '@tanstack/react-query'
import { applyDeviceUpdate } from '#web/features/devices/api/apply-update-from-device.ts'
import type { DeviceList } from '#web/features/devices/api/list-devices.ts'
import { listKeyOf, queryKeys } from '#web/lib/query-keys.ts'

/** What stands below the boards' key beside lists of boards (a page of staff's table, a picker's choices) has another shape. */
const isBoardList = (cached: unknown): cached is DeviceList =>
  typeof cached === 'object' && cached !== null && 'devices' in cached

interface StaffPage {
  rows: DeviceList['devices']
}

type Boards = DeviceList['devices']

/** Changes every list of boards that is on a screen. */
function changeBoardLists(queryClient: QueryClient, change: (boards: Boards) => Boards): void {
  queryClient.setQueriesData({ queryKey: queryKeys.devices }, (cached: unknown) => {
    if (!isBoardList(cached)) return cached
    const devices = change(cached.devices)
    return devices === cached.devices ? cached : { ...cached, devices }
  })
  queryClient.setQueriesData<StaffPage>({ queryKey: listKeyOf(queryKeys.devices) }, (page) => {
    if (page === undefined) return undefined
    const rows = change(page.rows)
    return rows === page.rows ? page : { ...page, rows }
  })
}

/** What a board said of itself, or somebody set. */
export const patchBoardLists = (queryClient: QueryClient, event: DeviceUpdateEvent): void =>
  changeBoardLists(queryClient, (boards) => applyDeviceUpdate(boards, event))

/** A board that is no longer this person's. */
export const dropFromBoardLists = (queryClient: QueryClient, deviceMac: string): void =>
  changeBoardLists(queryClient, (boards) =>
    boards.some((board) => board.deviceMac === deviceMac)
      ? boards.filter((board) => board.deviceMac !== deviceMac)
      : boards
  )
