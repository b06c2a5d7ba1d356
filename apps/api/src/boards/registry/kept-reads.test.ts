import { expect, test } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { createKeptReads } from './kept-reads.ts'
import type { LiveDevice } from './live-device.ts'

const [lamp, fan] = [aLiveDevice({ id: 'lamp' }), aLiveDevice({ id: 'fan' })]

/** Reads that wait until the test answers them, and the boards in memory. */
function setUp() {
  const asked: { ids: readonly string[]; answer(devices: LiveDevice[]): void }[] = []
  const read = (ids: readonly string[]): Promise<LiveDevice[]> =>
    new Promise((resolve) => void asked.push({ ids, answer: resolve }))
  const reads = createKeptReads(read)
  const memory = new Map<string, LiveDevice>()
  const keep = (...ids: string[]) =>
    reads.keep(
      () => read(ids),
      (device) => {
        memory.set(device.id, device)
        return device
      }
    )
  const forget = (id: string): void => {
    reads.forget(id)
    memory.delete(id)
  }
  return { reads, asked, memory, keep, forget, turn: () => new Promise(setImmediate) }
}

test('a board that is forgotten during its read is read again, as often as that happens, and the others are not', async () => {
  const { asked, memory, keep, forget, turn } = setUp()
  const kept = keep('lamp', 'fan')
  forget('fan')
  asked[0]?.answer([lamp, fan])
  await turn()
  expect([asked[1]?.ids, [...memory.keys()]]).toEqual([['fan'], ['lamp']])
  forget('fan')
  asked[1]?.answer([fan])
  await turn()
  expect([asked[2]?.ids, [...memory.keys()]]).toEqual([['fan'], ['lamp']])
  asked[2]?.answer([])
  expect(await kept).toEqual([lamp])
  expect([...memory.keys()]).toEqual(['lamp'])
})

test('each read that is under way learns which boards were forgotten, and none that begins later', async () => {
  const { asked, keep, forget, turn } = setUp()
  const both = [keep('lamp'), keep('lamp')]
  forget('lamp')
  const later = keep('lamp')
  for (const read of asked.slice(0, 3)) read.answer([lamp])
  expect(await later).toEqual([lamp])
  await turn()
  expect(asked.slice(3).map(({ ids }) => ids)).toEqual([['lamp'], ['lamp']])
  for (const read of asked.slice(3)) read.answer([])
  expect(await Promise.all(both)).toEqual([[], []])
})

test('what is put into memory is returned, and a read that fails fails for its caller alone', async () => {
  const { reads } = setUp()
  const known = aLiveDevice({ id: 'lamp', deviceName: 'known' })
  expect(
    await reads.keepOne(
      () => Promise.resolve(lamp),
      () => known
    )
  ).toBe(known)
  expect(
    await reads.keepOne(
      () => Promise.resolve(null),
      () => known
    )
  ).toBeNull()
  const away = reads.keepOne(
    () => Promise.reject(new Error('away')),
    () => known
  )
  await expect(away).rejects.toThrow('away')
})
