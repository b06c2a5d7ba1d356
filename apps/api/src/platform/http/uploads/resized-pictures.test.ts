import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createResizing, type PictureSize } from './resized-pictures.ts'

const picture = (width: number): Promise<Buffer> =>
  sharp({ create: { width, height: 100, channels: 3, background: '#4a4fc4' } })
    .webp()
    .toBuffer()

/** Pictures are finished by `finish`, in the order in which they were started. */
function resizingByHand() {
  const asked: { original: string; finish(): void }[] = []
  const store = { get: async (key: string) => Buffer.from(key) }
  const resizing = createResizing(store, (original) => {
    return new Promise((resolve) => asked.push({ original: original.toString(), finish: () => resolve(original) }))
  })
  return { asked, get: resizing.get }
}
const size: PictureSize = { width: 300, quality: 60 }

test('requested sizes are rounded to a few, none wider than the picture', async () => {
  const { sizeFor } = createResizing({ get: async () => null })
  const original = await picture(1000)
  const widths = new Set<number | undefined>()
  const qualities = new Set<number>()
  for (let width = 1; width <= 4096; width += 1) widths.add((await sizeFor('a', original, { width })).width)
  for (let quality = 1; quality <= 100; quality += 1) qualities.add((await sizeFor('a', original, { quality })).quality)
  expect([...widths]).toEqual([100, 200, 300, 450, 600, 900, undefined])
  expect([...qualities]).toEqual([20, 40, 60, 80, 100])
  expect(await sizeFor('a', original, { width: 300, quality: 60 })).toEqual(size)
  expect(await sizeFor('b', await picture(200), { width: 150 })).toEqual({ width: undefined, quality: 80 })
})

test('the same picture, requested by many at once and again, is made once', async () => {
  const { asked, get } = resizingByHand()
  const answers = Array.from({ length: 300 }, (_, index) => get('a', size, `192.0.2.${index % 200}`))
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.finish()
  expect(new Set(await Promise.all(answers)).size).toBe(1)
  await get('a', size, '192.0.2.1')
  expect(asked).toHaveLength(1)
})

test('an address that requests hundreds of pictures waits for its own, and delays nobody else', async () => {
  const { asked, get } = resizingByHand()
  const flood = Promise.allSettled(Array.from({ length: 230 }, (_, index) => get(`m${index}`, size, '192.0.2.1')))
  await expect.poll(() => asked.length).toBe(1)
  const other = get('other', size, '192.0.2.2')
  await expect.poll(() => asked.map(({ original }) => original)).toEqual(['m0', 'other'])
  asked[1]?.finish()
  expect(String(await other)).toBe('other')
  for (let index = 0; asked.length > index; index += 1) {
    asked[index]?.finish()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const refused = (await flood).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(29)
  expect(refused[0]).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS' } })
})

test('one that failed is tried again', async () => {
  let isBroken = true
  const { get } = createResizing({ get: async () => (isBroken ? null : Buffer.from('there')) }, async (it) => it)
  await expect(get('a', size, '192.0.2.1')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  isBroken = false
  expect(String(await get('a', size, '192.0.2.1'))).toBe('there')
})
