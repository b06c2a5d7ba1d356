import { listDeviceTypes, type DeviceTypeRecord } from '@batti/contracts'
import { Cpu } from 'lucide-react'
import type { Column } from '#web/ui/data-table/columns.ts'
import { useList } from '#web/lib/lists/use-list.ts'

export const useTypeList = () =>
  useList({
    name: 'device-types',
    route: listDeviceTypes,
    rows: ({ deviceTypes }) => deviceTypes,
    pageSize: 100,
    queryKey: ['device-types']
  })

const indexes = (list: readonly number[]) => list.join(', ')

export const typeColumns: readonly Column<DeviceTypeRecord>[] = [
  {
    id: 'deviceName',
    label: 'types.name',
    cell: ({ deviceName, deviceImage }) => (
      <span className="inline-flex max-w-full items-center gap-2.5">
        {deviceImage === null ? (
          <Cpu aria-hidden="true" size={18} className="mx-1 text-ink-3" />
        ) : (
          <img
            src={`${deviceImage}?width=300&quality=60`}
            alt=""
            className="size-7 shrink-0 rounded-md bg-well object-cover"
          />
        )}
        <span className="truncate">{deviceName}</span>
      </span>
    ),
    width: 200
  },
  { id: 'deviceCode', label: 'types.code', width: 105, card: { line: 2 } },
  { id: 'hwModel', label: 'types.model', width: 150, isCode: true, card: { line: 2, isEnd: true } },
  { id: 'description', label: 'types.description', width: 280, card: { line: 3 } },
  { id: 'numberOfSwitches', label: 'types.switches', width: 90, isNumber: true },
  { id: 'numberOfFans', label: 'types.fans', width: 70, isNumber: true },
  {
    id: 'fanIndexes',
    label: 'types.fanIndexes',
    value: ({ fanIndexes }) => indexes(fanIndexes),
    width: 100,
    isExtra: true
  },
  { id: 'numberOfSockets', label: 'types.sockets', width: 80, isNumber: true },
  {
    id: 'socketIndexes',
    label: 'types.socketIndexes',
    value: ({ socketIndexes }) => indexes(socketIndexes),
    width: 120,
    isExtra: true
  },
  {
    id: 'dimmerIndexes',
    label: 'types.dimmerIndexes',
    value: ({ dimmerIndexes = [] }) => indexes(dimmerIndexes),
    width: 125,
    isSpare: true
  }
]
