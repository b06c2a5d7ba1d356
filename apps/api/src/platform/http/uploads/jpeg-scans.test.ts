import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countScans } from './jpeg-scans.ts'
import { readImage } from './read-image.ts'

let folder = ''
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'batti-scans-'))))
afterAll(() => rm(folder, { recursive: true }))

const noise = () =>
  sharp({
    create: { width: 200, height: 200, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 60 } }
  })
const segment = (marker: number, ...body: number[]): Buffer => Buffer.from([0xff, marker, 0, body.length + 2, ...body])
const huffman = (kind: number): Buffer => segment(0xc4, kind, 1, ...Array.from({ length: 15 }, () => 0), 0)
const scan = (first: number, last: number): Buffer =>
  Buffer.concat([segment(0xda, 1, 1, 0, first, last, 0), Buffer.from([0x7f])])
/** One grey block, progressive: its brightness in one scan, and nothing more in each of the others. */
const withScans = (scans: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    huffman(0x00),
    huffman(0x10),
    scan(0, 0),
    ...Array.from({ length: scans - 1 }, () => scan(1, 63)),
    Buffer.from([0xff, 0xd9])
  ])

test('scans are counted from marker to marker', async () => {
  expect(countScans(await noise().jpeg().toBuffer())).toBe(1)
  const progressive = await noise().jpeg({ progressive: true }).toBuffer()
  const scans = countScans(progressive)
  expect(scans).toBeGreaterThan(5)
  expect(scans).toBeLessThan(20)
  expect(countScans(withScans(300))).toBe(300)
})

test('bytes that look like a scan inside a segment or after the end are not counted', async () => {
  const looksLike = Buffer.from([0xff, 0xda, 0, 2])
  const jpeg = await noise().jpeg().toBuffer()
  const exif = segment(0xe1, ...looksLike, ...looksLike)
  expect(countScans(Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2), looksLike]))).toBe(1)
})

test('counting ends for any bytes', () => {
  for (const bytes of [[], [0xff], [0xff, 0xd8, 0xff], [0xff, 0xd8, 0xff, 0xda], [0xff, 0xd8, 0xff, 0xe1, 0, 0, 0xff]])
    expect(countScans(Buffer.from(bytes))).toBeLessThan(2)
})

test('a picture with far too many scans, each of which costs a pass, is not decoded', async () => {
  const path = join(folder, 'scans.jpg')
  await writeFile(path, withScans(100))
  expect(await sharp(await readImage(path, 'profileImage')).metadata()).toMatchObject({ width: 8, height: 8 })
  await writeFile(path, withScans(101))
  await expect(readImage(path, 'profileImage')).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
    message: /cannot be read/
  })
})
