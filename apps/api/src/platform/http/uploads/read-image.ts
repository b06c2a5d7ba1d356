import { readFile } from 'node:fs/promises'
import { pictureTypes } from '@batti/contracts'
import { fileTypeFromFile } from 'file-type'
import type { Metadata } from 'sharp'
import { AppError, refusedFile } from '../../app-error.ts'
import { countScans } from './jpeg-scans.ts'

/** 50 megapixels: more than phone cameras have. */
const pixelsMax = 50_000_000
/** How much memory decoding one picture may take. */
const decodedMaxBytes = 200_000_000
/**
 * As long as the panoramas of phones. What is decoded line by line needs memory for several lines, whatever the number of
 * pixels: one line of 50 megapixels, a file of 390 KB, takes 6 GB.
 */
const sideMax = 16_384
const longestSide = 1600
/** Cameras and editors write about ten scans. Each costs a pass over all pixels, but may be only a few bytes long. */
const scansMax = 100
/** Timeout for the processing steps that support one. */
export const imageSeconds = 20

/**
 * Decodes an uploaded picture and re-encodes its pixels alone: WebP, upright, at most 1600 px, without EXIF. Anything
 * else hidden in the file is dropped.
 * @throws AppError UNSUPPORTED_MEDIA for a file that is no picture by its first bytes, UNPROCESSABLE for a picture that
 * is too large to decode or broken; both name the `field` that it came in.
 */
export async function readImage(path: string, field: string): Promise<Buffer> {
  const type = await fileTypeFromFile(path)
  if (type === undefined || !pictureTypes.some((taken) => taken === type.mime)) {
    throw refusedFile('UNSUPPORTED_MEDIA', field, 'Choose a picture: JPEG, PNG, WebP or GIF.')
  }
  // Loaded with the first picture: it is large, and a home may never have one.
  const { default: sharp } = await import('sharp')
  const input = () => sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
  try {
    if (type.mime === 'image/jpeg' && countScans(await readFile(path)) > scansMax) throw new Error('too many scans')
    // Checked in the header, before any pixel is decoded: a few bytes can announce gigabytes.
    const header = await input().metadata()
    const most = Math.min(pixelsMax, decodedMaxBytes / bytesPerPixel(header))
    if (header.width * header.height > most) throw tooManyPixels(field, most)
    if (Math.max(header.width, header.height) > sideMax) throw tooLong(field)
    return await input()
      .timeout({ seconds: imageSeconds })
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels(field, pixelsMax)
    throw refusedFile('UNPROCESSABLE', field, 'This picture cannot be read. Choose another one.', error)
  }
}

/** Returns the memory per pixel, measured with a margin. Most formats are decoded line by line; some must be held as a whole. */
function bytesPerPixel({ format, isProgressive, depth }: Metadata): number {
  if (format === 'gif') return 6
  if (isProgressive) return format === 'jpeg' ? 7 : depth === 'ushort' ? 10 : 5
  return 1
}

const tooManyPixels = (field: string, most: number) =>
  refusedFile(
    'UNPROCESSABLE',
    field,
    `This picture has too many pixels. Choose one of at most ${Math.floor(most / 1e6)} megapixels.`
  )

const tooLong = (field: string) =>
  refusedFile(
    'UNPROCESSABLE',
    field,
    `This picture is too long or too wide. Choose one of at most ${sideMax} pixels on each side.`
  )
