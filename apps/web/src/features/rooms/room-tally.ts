import type { DeviceRecord, RoomRecord } from '@batti/contracts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { countOutlets } from '#web/lib/live/outlet-view.ts'

export interface RoomTally {
  devices: number
  online: number
  /** Outlets that are on. */
  on: number
  /** Outlets of boards that do not answer. */
  unknown: number
  /** False while it is unknown what is on: nothing may be shown as lit. */
  isKnown: boolean
}

/** Returns whether the state of all lamps is unknown: the page has no connection, or none of the boards answers. */
export const isUnknownRoom = (tally: RoomTally | undefined): boolean =>
  tally !== undefined && tally.devices > 0 && (!tally.isKnown || tally.online === 0)

/** Returns whether the room has boards, and none of them answers. */
export const isSilentRoom = (tally: RoomTally | undefined): boolean => tally?.isKnown === true && isUnknownRoom(tally)

/**
 * Counts the boards and lit outlets of each room, by room id, from the live states; the rooms' own numbers are as old
 * as the last answer. `lives` has the same order as `devices`.
 */
export function tallyRooms(
  rooms: readonly Pick<RoomRecord, '_id'>[],
  devices: readonly Pick<DeviceRecord, 'setRoom'>[],
  lives: readonly (DeviceLive | undefined)[]
): Map<string, RoomTally> {
  const tallies = new Map(
    rooms.map(({ _id }): [string, RoomTally] => [_id, { devices: 0, online: 0, on: 0, unknown: 0, isKnown: true }])
  )
  devices.forEach(({ setRoom }, place) => {
    const tally = setRoom === null ? undefined : tallies.get(setRoom._id)
    if (tally === undefined) return
    const live = lives[place]
    tally.devices += 1
    if (live === undefined || !live.isFresh) {
      tally.isKnown = false
      return
    }
    tally.online += live.isOnline ? 1 : 0
    const { on, unknown } = countOutlets([live])
    tally.on += on
    tally.unknown += unknown
  })
  return tallies
}
