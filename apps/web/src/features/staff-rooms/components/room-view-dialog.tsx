import { listDevicesByRoom, type DeviceRecord, type RoomRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { Badge } from '#web/ui/badge.tsx'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Name } from '#web/ui/name.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { usePresenceWord } from '#web/lib/live/use-presence-word.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/** A room and its boards. */
export function StaffRoomViewDialog({ room, onClose }: { room: RoomRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const api = useApi()
  const boards = useQuery({
    queryKey: [...queryKeys.devices, 'by-room', room._id, 'staff'],
    queryFn: ({ signal }) => api.call(listDevicesByRoom, { params: { roomId: room._id }, signal })
  })
  return (
    <DialogSheet isOpen onClose={onClose} title={room.roomName}>
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('table.id'), value: room._id, isCode: true },
          { label: t('staffRooms.owner'), value: room.owner?.name ?? room.userId, isCode: room.owner === undefined },
          { label: t('staffRooms.devices'), value: intl.formatNumber(room.deviceCount) },
          { label: t('staffRooms.online'), value: intl.formatNumber(room.onlineCount) },
          { label: t('table.created'), value: <TimeAgo at={room.createdAt} /> }
        ]}
      />
      <h3 className="mt-3 mb-1 text-14 font-semibold">{t('staffRooms.boards')}</h3>
      <QueryView
        query={boards}
        failed={t('staffRooms.boardsFailed')}
        loading={<Skeleton className="h-20" />}
        isEmpty={({ devices }) => devices.length === 0}
        empty={<p className="text-14 text-ink-2">{t('staffRooms.noBoards')}</p>}
      >
        {({ devices }) => (
          <ul className="divide-y divide-line">
            {devices.map((device) => (
              <li key={device._id} className="flex flex-wrap items-center gap-x-3 py-2 text-14">
                <span className="min-w-0 flex-1 basis-32 font-medium">
                  <Name>{deviceTitle(device)}</Name>
                </span>
                <span className="font-mono text-12 text-ink-3">{device.deviceMac}</span>
                <Presence device={device} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </DialogSheet>
  )
}

function Presence({ device }: { device: DeviceRecord }) {
  const word = useText()(usePresenceWord(device))
  return (
    <Badge tone={device.isOnline ? 'ok' : 'muted'} frame="none" hasDot>
      {word}
    </Badge>
  )
}
