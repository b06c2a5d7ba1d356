import { useId, useState, type FormEvent } from 'react'
import { useDevice } from '#web/features/devices/api/get-device.ts'
import { useUpdateDevice } from '#web/features/devices/api/update-device.ts'
import { useRooms } from '#web/features/rooms/api/list-rooms.ts'
import { isCalled, useSaveRoom } from '#web/features/rooms/api/save-room.ts'
import { faultsOf } from '#web/lib/form/fault-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

/**
 * Asks for the name and room of a board that has just come online. The room may be new, because the first board is
 * usually paired before there is one.
 */
export function PlaceBoard({ deviceId, onPlaced }: { deviceId: string; onPlaced: () => void }) {
  const t = useText()
  const listId = useId()
  const device = useDevice(deviceId)
  const rooms = useRooms()
  const update = useUpdateDevice()
  const addRoom = useSaveRoom()
  const [name, setName] = useState('')
  const [room, setRoom] = useState('')
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({})
  const known = rooms.data?.rooms ?? []

  const { save, isSaving } = useSave(
    async () => {
      const wanted = room.trim()
      const place =
        wanted === ''
          ? null
          : (known.find((each) => isCalled(each, wanted)) ??
            (await addRoom.mutateAsync({ id: null, roomName: wanted })))
      await update.mutateAsync({
        id: deviceId,
        changes: {
          ...(name.trim() !== '' && { setName: name.trim() }),
          ...(place !== null && { setRoom: place._id, setRoomName: place.roomName })
        }
      })
    },
    {
      done: t('pairing.placed'),
      failed: t('pairing.placeFailed'),
      onRefused: (message, error) => {
        const found = faultsOf(t, error)
        setFaults(found)
        if (!['setName', 'setRoom', 'roomName'].some((field) => field in found)) notify.error(message)
      }
    }
  )
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '' && room.trim() === '') return onPlaced()
    setFaults({})
    if (await save()) onPlaced()
  }
  return (
    <Form isSaving={isSaving} onSubmit={(event) => void submit(event)} className="grid gap-3">
      <TextField
        label={t('pairing.boardName')}
        value={name}
        placeholder={device.data?.deviceName}
        maxLength={64}
        error={faults['setName']}
        onChange={(event) => {
          setName(event.target.value)
          setFaults({})
        }}
      />
      <TextField
        label={t('pairing.boardRoom')}
        hint={t('pairing.boardRoomHint')}
        error={faults['roomName'] ?? faults['setRoom']}
        value={room}
        list={listId}
        maxLength={64}
        autoComplete="off"
        onChange={(event) => {
          setRoom(event.target.value)
          setFaults({})
        }}
      />
      <datalist id={listId}>
        {known.map(({ _id, roomName }) => (
          <option key={_id} value={roomName}>
            {roomName}
          </option>
        ))}
      </datalist>
      <Button type="submit" isBusy={isSaving}>
        {t('pairing.place')}
      </Button>
    </Form>
  )
}
