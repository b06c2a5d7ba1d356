import { listFavoriteSwitches, type SwitchRecord } from '@batti/contracts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { listAllSwitches } from '#web/lib/records/list-all-switches.ts'
import { stateWord } from './state-word.ts'
import { useList } from '#web/lib/lists/use-list.ts'

const pageSize = 300

export const useSwitchList = () =>
  useList({ name: 'switches', route: listAllSwitches, rows: (rows) => rows, pageSize, queryKey: queryKeys.switches })

export const useFavoriteList = () =>
  useList({
    name: 'favorite-switches',
    route: listFavoriteSwitches,
    rows: ({ switches }) => switches,
    pageSize,
    queryKey: queryKeys.favoriteSwitches
  })

const name: Column<SwitchRecord> = { id: 'switchName', label: 'staffSwitches.name', width: 220 }
const index: Column<SwitchRecord> = { id: 'switchIndex', label: 'staffSwitches.index', width: 80, isNumber: true }
const status: Column<SwitchRecord> = {
  id: 'status',
  label: 'staffSwitches.status',
  value: (record, t) => t(stateWord(record)),
  width: 90,
  card: { line: 3 }
}

export const switchColumns: readonly Column<SwitchRecord>[] = [
  name,
  { id: 'deviceName', label: 'staffSwitches.device', width: 220, card: { line: 2 } },
  index,
  status,
  {
    id: 'isFavorite',
    label: 'staffSwitches.favorite',
    value: ({ isFavorite }, t) => t(isFavorite ? 'table.yes' : 'table.no'),
    width: 100
  },
  {
    id: 'createdAt',
    label: 'table.created',
    isTime: true,
    width: 140,
    card: { line: 3, isEnd: true }
  }
]

export const favoriteColumns: readonly Column<SwitchRecord>[] = [
  name,
  { id: 'deviceId', label: 'staffSwitches.deviceId', width: 210, isCode: true, card: { line: 4 } },
  {
    id: 'roomId',
    label: 'staffSwitches.roomId',
    value: ({ roomId }) => roomId?._id ?? null,
    more: ({ roomId }) => roomId?.roomName,
    words: ({ roomId }) => (roomId === null ? '' : `${roomId._id} · ${roomId.roomName}`),
    width: 210,
    isCode: true
  },
  index,
  {
    id: 'type',
    label: 'staffSwitches.type',
    value: ({ type }, t) => t(`switch.type.${type}`),
    width: 90,
    card: { line: 2 }
  },
  status
]
