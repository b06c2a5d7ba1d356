import { expect, test } from 'vitest'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { deviceLive, switches } from '#web/test/fixtures.ts'
import { isSilentRoom, isUnknownRoom, tallyRooms } from './room-tally.ts'

const live = (changes: Partial<DeviceLive>) => deviceLive({ outlets: switches(true, false, true), ...changes })
const inRoom = (_id: string | null) => ({ setRoom: _id === null ? null : { _id, roomName: _id } })
const rooms = [{ _id: 'a' }, { _id: 'b' }, { _id: 'empty' }]

test('a room counts its boards, those online, and the outlets that are on there', () => {
  const devices = [inRoom('a'), inRoom('a'), inRoom('b'), inRoom(null)]
  const tallies = tallyRooms(rooms, devices, [live({}), live({ isOnline: false }), live({}), live({})])
  expect(tallies.get('a')).toEqual({ devices: 2, online: 1, on: 2, unknown: 3, isKnown: true })
  expect(tallies.get('b')).toEqual({ devices: 1, online: 1, on: 2, unknown: 0, isKnown: true })
  expect(tallies.get('empty')).toEqual({ devices: 0, online: 0, on: 0, unknown: 0, isKnown: true })
})

test('a room with a board whose state is unknown or outdated has no count', () => {
  expect(tallyRooms(rooms, [inRoom('a')], [undefined]).get('a')?.isKnown).toBe(false)
  expect(tallyRooms(rooms, [inRoom('a')], [live({ isFresh: false })]).get('a')).toEqual({
    devices: 1,
    online: 0,
    on: 0,
    unknown: 0,
    isKnown: false
  })
})

test('a room is silent when none of its boards answers, and unknown while the page is disconnected', () => {
  const of = (changes: Partial<DeviceLive>) => tallyRooms(rooms, [inRoom('a')], [live(changes)]).get('a')
  expect([isUnknownRoom(of({})), isSilentRoom(of({}))]).toEqual([false, false])
  expect([isUnknownRoom(of({ isOnline: false })), isSilentRoom(of({ isOnline: false }))]).toEqual([true, true])
  expect([isUnknownRoom(of({ isFresh: false })), isSilentRoom(of({ isFresh: false }))]).toEqual([true, false])
  expect(isUnknownRoom(tallyRooms(rooms, [], []).get('empty'))).toBe(false)
})
