import type { DeviceRecord } from '@batti/contracts'
import { useOnTimesOfBoard } from '#web/features/on-times/api/list-on-times.ts'
import { onSince } from '#web/features/on-times/on-since.ts'
import { BoardRows } from '#web/features/switches/components/board-rows.tsx'
import { givenNames } from '#web/features/switches/switch-name.ts'
import { useUser } from '#web/lib/services.ts'
import { maySeeSwitches } from '#web/lib/session/session-user.ts'
import { useBoardSwitches } from '#web/lib/records/use-board-switches.ts'

/** A board's switches for staff: with their given names, and since when each has been on. */
export function StaffBoardRows({ device }: { device: DeviceRecord }) {
  const user = useUser()
  const switches = useBoardSwitches(device._id)
  const names = givenNames(Object.values(switches))
  const { data } = useOnTimesOfBoard(device._id, user !== null && maySeeSwitches(user))
  const since = data === undefined ? null : onSince(data)
  return (
    <BoardRows
      device={device}
      nameOf={(index) => names[index]}
      onSinceOf={(index) => since?.get(switches[index]?._id ?? '')}
    />
  )
}
