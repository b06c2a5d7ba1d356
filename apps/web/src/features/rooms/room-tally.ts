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
  /** False while the page cannot know what is on: nothing may be shown as lit. */
  isKnown: boolean
}

/** Nobody knows how its lamps stand: the page has no connection, or none of its boards answers. */
export const isUnknownRoom = (tally: RoomTally | undefined): boolean =>
  tally !== undefined && tally.devices > 0 && (!tally.isKnown || tally.online === 0)

/** It has boards, and none of them answers. */
export const isSilentRoom = (tally: RoomTally | undefined): boolean => tally?.isKnown === true && isUnknownRoom(tally)

/**
 * What stands in each room and what of it is on, by room id, from the boards themselves: they are live, the rooms' own
 * numbers are of the last answer. `lives` goes with `devices`, place by place.
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
