import type { DeviceRecord, RoomRecord } from '@batti/contracts'
import { DoorOpen, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeletons } from '#web/ui/skeleton.tsx'
import { useDevices } from '#web/features/devices/api/list-devices.ts'
import { useRooms } from '#web/features/rooms/api/list-rooms.ts'
import { DeleteRoomDialog } from '#web/features/rooms/components/delete-room-dialog.tsx'
import { RoomDialog } from '#web/features/rooms/components/room-dialog.tsx'
import { RoomFormDialog } from '#web/features/rooms/components/room-form-dialog.tsx'
import { tallyRooms, type RoomTally } from '#web/features/rooms/room-tally.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { RoomBoards } from '#web/routes/parts/room-boards.tsx'
import { RoomLamps, type RoomLampsProps } from '#web/routes/parts/room-lamps.tsx'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'
import { useGoneRecord } from '#web/routes/parts/use-gone-record.ts'

const noDevices: readonly DeviceRecord[] = []

/** /user/rooms: Room Stats. `?room=` opens that room's boards. */
export function Screen() {
  const t = useText()
  const rooms = useRooms()
  const devices = useDevices()
  const [isAdding, setAdding] = useState(false)
  const list = rooms.data?.rooms ?? []
  const id = useSearchParams()[0].get('room')
  useGoneRecord(rooms, { id, records: list, words: t('rooms.gone') })
  const boards = devices.data?.devices ?? noDevices
  const lives = useLiveStates(boards.map(({ deviceMac }) => deviceMac))
  const tallies = devices.data === undefined ? new Map<string, RoomTally>() : tallyRooms(list, boards, lives)
  const add = (
    <Button onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" size={20} />
      {t('rooms.add')}
    </Button>
  )
  return (
    // An empty list has the button below its text.
    <Page title={t('rooms.title')} actions={rooms.data?.rooms.length === 0 ? undefined : add}>
      <QueryView
        query={rooms}
        failed={t('rooms.failed')}
        loading={
          <div className="grid grid-cols-1 gap-3 sm:gap-4 md:grid-cols-2 min-[90rem]:grid-cols-3">
            <Skeletons count={3} className="h-44 rounded-card" />
          </div>
        }
        isEmpty={(data) => data.rooms.length === 0}
        empty={
          <EmptyState
            drawing={<DoorOpen size={40} strokeWidth={1.4} />}
            title={t('rooms.none')}
            body={t('rooms.noneHint')}
            action={add}
          />
        }
      >
        {(data) => <RoomList rooms={data.rooms} devices={boards} tallies={tallies} />}
      </QueryView>
      {isAdding && <RoomFormDialog room={null} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function RoomList({ rooms, devices, tallies }: Pick<RoomLampsProps, 'rooms' | 'devices' | 'tallies'>) {
  const [params, setParams] = useSearchParams()
  const addSchedule = useAddSchedule()
  const [edited, setEdited] = useState<RoomRecord | null>(null)
  const [toDelete, setToDelete] = useState<RoomRecord | null>(null)
  const opened = rooms.find(({ _id }) => _id === params.get('room'))
  return (
    <>
      <RoomLamps
        rooms={rooms}
        devices={devices}
        tallies={tallies}
        onOpen={(room) => setParams({ room: room._id }, { replace: true })}
        actionsOf={(room) => ({ onEdit: () => setEdited(room), onDelete: () => setToDelete(room) })}
      />
      {opened !== undefined && (
        <RoomDialog key={opened._id} room={opened} onClose={() => setParams({}, { replace: true })}>
          {(own) => <RoomBoards devices={own} onAddSchedule={addSchedule.open} />}
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
