import { listRooms, type RoomRecord } from '@batti/contracts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useList } from '#web/lib/lists/use-list.ts'

const filters = ['userId'] as const

/** Queries the rooms of all accounts. */
export const useStaffRoomList = () =>
  useList({
    name: 'rooms',
    route: listRooms,
    rows: ({ rooms }) => rooms,
    pageSize: 100,
    queryKey: queryKeys.rooms,
    filters
  })

export const roomColumns: readonly Column<RoomRecord>[] = [
  {
    id: 'roomName',
    label: 'staffRooms.name',
    // Many homes have a room of the same name.
    cell: ({ roomName, owner }) => (
      <>
        {roomName}
        {owner !== undefined && <span className="font-normal text-ink-3"> · {owner.name}</span>}
      </>
    ),
    words: ({ roomName, owner }) => `${roomName} · ${owner?.name ?? ''}`,
    width: 260
  },
  { id: 'deviceCount', label: 'staffRooms.devices', width: 130, isNumber: true, card: { line: 2 } },
  { id: 'onlineCount', label: 'staffRooms.online', width: 140, isNumber: true },
  {
    id: 'createdAt',
    label: 'table.created',
    isTime: true,
    width: 160,
    card: { line: 2, isEnd: true }
  }
]
