import type { DeviceRecord, RoomRecord, SwitchRecord } from '@batti/contracts'
import { isSilentRoom, type RoomTally } from '#web/features/rooms/room-tally.ts'
import { AllOffButton } from '#web/features/switches/components/all-off-button.tsx'
import { RoomHelpButton } from '#web/features/switches/components/room-help-button.tsx'

export interface RoomActionProps {
  room: Pick<RoomRecord, '_id' | 'roomName'>
  /** All boards of the home. */
  devices: readonly DeviceRecord[]
  tally: RoomTally | undefined
  /** The room's first lamp, once it is known. */
  lamp: SwitchRecord | undefined
}

/** The action on all of a room's lamps: All OFF, or help when none of its boards answers. */
export function RoomAction({ room, devices, tally, lamp }: RoomActionProps) {
  const own = devices.filter(({ setRoom }) => setRoom?._id === room._id)
  return lamp !== undefined && isSilentRoom(tally) ? (
    <RoomHelpButton room={room.roomName} record={lamp} isOneBoard={own.length === 1} />
  ) : (
    <AllOffButton devices={own} room={room.roomName} on={tally?.isKnown === true ? tally.on : null} />
  )
}
