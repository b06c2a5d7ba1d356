import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readImage } from './read-image.ts'

let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'batti-pictures-'))))
afterAll(() => rm(folder, { recursive: true }))

const read = async (width: number, height: number): Promise<Buffer> => {
  const path = join(folder, `${width}x${height}.png`)
  await sharp({ create: { width, height, channels: 3, background: 'red' } })
    .png()
    .toFile(path)
  return readImage(path, 'profileImage')
}

test.each([
  [16_385, 1],
  [1, 16_385]
])(
  'a picture of few pixels that are all in one line, %i by %i, is refused: each line costs memory',
  async (...size) => {
    await expect(read(...size)).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      errors: [{ path: 'profileImage', message: expect.stringContaining('at most 16384 pixels on each side') }]
    })
  }
)

test('a panorama of a phone is read', async () => {
  expect(await sharp(await read(16_384, 10)).metadata()).toMatchObject({ format: 'webp', width: 1600 })
})
