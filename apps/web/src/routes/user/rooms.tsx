import type { DeviceRecord, RoomRecord, SwitchRecord } from '@batti/contracts'
import { DoorOpen, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailedState } from '#web/ui/failed-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useDevices } from '#web/features/devices/api/list-devices.ts'
import { useRooms } from '#web/features/rooms/api/list-rooms.ts'
import { DeleteRoomDialog } from '#web/features/rooms/components/delete-room-dialog.tsx'
import { RoomCard } from '#web/features/rooms/components/room-card.tsx'
import { RoomDialog } from '#web/features/rooms/components/room-dialog.tsx'
import { RoomFormDialog } from '#web/features/rooms/components/room-form-dialog.tsx'
import { tallyRooms, type RoomTally } from '#web/features/rooms/room-tally.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { RoomBoards } from '#web/routes/parts/room-boards.tsx'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'

const noDevices: readonly DeviceRecord[] = []

/** /user/rooms: Room Stats. `?room=` opens that room's boards, so that a phone's back button closes them. */
export function Screen() {
  const t = useText()
  const rooms = useRooms()
  const devices = useDevices()
  const [isAdding, setAdding] = useState(false)
  const list = rooms.data?.rooms ?? []
  const boards = devices.data?.devices ?? noDevices
  const lives = useLiveStates(boards.map(({ deviceMac }) => deviceMac))
  const tallies = devices.data === undefined ? new Map<string, RoomTally>() : tallyRooms(list, boards, lives)
  return (
    <Page
      title={t('rooms.title')}
      actions={
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" size={20} />
          {t('rooms.add')}
        </Button>
      }
    >
      {rooms.isPending ? (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
          <VisuallyHidden live="polite">{t('common.loading')}</VisuallyHidden>
          {[0, 1, 2].map((index) => (
            <Skeleton key={index} className="h-24 rounded-card" />
          ))}
        </div>
      ) : rooms.isError ? (
        <FailedState title={t('rooms.failed')} isRetrying={rooms.isFetching} onRetry={() => void rooms.refetch()} />
      ) : list.length === 0 ? (
        <EmptyState
          drawing={<DoorOpen size={40} strokeWidth={1.4} />}
          title={t('rooms.none')}
          body={t('rooms.noneHint')}
        />
      ) : (
        <RoomList rooms={list} tallies={tallies} />
      )}
      {isAdding && <RoomFormDialog room={null} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function RoomList({ rooms, tallies }: { rooms: readonly RoomRecord[]; tallies: ReadonlyMap<string, RoomTally> }) {
  const [params, setParams] = useSearchParams()
  const addSchedule = useAddSchedule()
  const [edited, setEdited] = useState<RoomRecord | null>(null)
  const [toDelete, setToDelete] = useState<RoomRecord | null>(null)
  const opened = rooms.find(({ _id }) => _id === params.get('room'))
  return (
    <>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {rooms.map((room) => (
          <li key={room._id} className="grid grid-cols-1">
            <RoomCard
              room={room}
              tally={tallies.get(room._id)}
              onOpen={() => setParams({ room: room._id })}
              onEdit={() => setEdited(room)}
              onDelete={() => setToDelete(room)}
            />
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <RoomDialog key={opened._id} room={opened} onClose={() => setParams({}, { replace: true })}>
          {(devices) => (
            <RoomBoards devices={devices} onAddSchedule={(record: SwitchRecord) => addSchedule.open(record)} />
          )}
        </RoomDialog>
      )}
      {edited !== null && <RoomFormDialog key={edited._id} room={edited} onClose={() => setEdited(null)} />}
      {toDelete !== null && (
        <DeleteRoomDialog
          key={toDelete._id}
          room={toDelete}
          deviceCount={tallies.get(toDelete._id)?.devices ?? toDelete.deviceCount}
          others={rooms.filter(({ _id }) => _id !== toDelete._id)}
          onClose={() => setToDelete(null)}
        />
      )}
      {addSchedule.dialog}
    </>
  )
}
