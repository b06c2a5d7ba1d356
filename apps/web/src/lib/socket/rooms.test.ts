// @vitest-environment node
import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createRooms } from './rooms.ts'

const kitchen = '34:98:7A:0C:51:E2'
const bedroom = '34:98:7A:0C:51:E3'
const staff = 'staff'

/** Rooms of a tab, and a server that refuses them with these codes. */
function setUp(refusals: Record<string, string>) {
  const clock = createFakeClock()
  const asked: unknown[] = []
  const shown: string[] = []
  const rooms = createRooms(async (event, payload) => {
    const room = event === 'join-staff-room' ? staff : String(payload)
    asked.push(room)
    const code = refusals[room]
    const answer =
      code === undefined ? { ok: true, device: { deviceMac: payload } } : { ok: false, code, message: 'Not now.' }
    return answer as never
  }, clock)
  rooms.onSnapshot(({ deviceMac }) => shown.push(deviceMac))
  /** Lets the time for another try pass, and its answers come. */
  const wait = async () => {
    clock.advance(10_000)
    await Promise.resolve()
    return asked.splice(0)
  }
  return { rooms, asked, shown, wait }
}

test.each(['TOO_MANY_REQUESTS', 'UNAVAILABLE', 'INTERNAL', 'NO_ACK'])(
  'a board that could not be joined for now is joined later: %s',
  async (code) => {
    const refusals: Record<string, string> = { [kitchen]: code }
    const { rooms, shown, wait } = setUp(refusals)
    rooms.join(kitchen)
    rooms.join(bedroom)
    expect(await wait()).toEqual([kitchen, bedroom])
    expect(await wait()).toEqual([kitchen])
    delete refusals[kitchen]
    expect(await wait()).toEqual([kitchen])
    expect(shown).toEqual([bedroom, kitchen])
    expect(await wait()).toEqual([])
  }
)

test.each(['NOT_FOUND', 'NOT_CONNECTED'])('a board is not asked for again by itself after %s', async (code) => {
  const { rooms, wait } = setUp({ [kitchen]: code })
  rooms.join(kitchen)
  await wait()
  expect(await wait()).toEqual([])
})

test('a board that was removed, or joined with all others, is not asked for later', async () => {
  const refusals: Record<string, string> = { [kitchen]: 'UNAVAILABLE', [bedroom]: 'UNAVAILABLE' }
  const { rooms, asked, wait } = setUp(refusals)
  await rooms.joinAll(null)
  rooms.join(kitchen)
  rooms.join(bedroom)
  await Promise.resolve()
  rooms.leave(kitchen)
  delete refusals[bedroom]
  await rooms.joinAll(null)
  asked.splice(0)
  expect(await wait()).toEqual([])
})

test('the staff room that could not be joined for now is joined later, unless the right has ended meanwhile', async () => {
  const { rooms, wait } = setUp({ [staff]: 'UNAVAILABLE' })
  rooms.followFleet(true)
  expect(await wait()).toEqual([staff])
  expect(await wait()).toEqual([staff])
  rooms.followFleet(false)
  expect(await wait()).toEqual([])
})

test.each(['FORBIDDEN', 'NOT_CONNECTED'])('the staff room is not asked for again by itself after %s', async (code) => {
  const { rooms, wait } = setUp({ [staff]: code })
  rooms.followFleet(true)
  await wait()
  expect(await wait()).toEqual([])
})
