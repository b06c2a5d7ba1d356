import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { AppError } from '../app-error.ts'

const takenTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])
/** 50 megapixels: more than phones take, little enough to decode (200 MB at worst, one or two at a time). */
const pixelsMax = 50_000_000
const longestSide = 1600

/**
 * Decodes an uploaded picture and makes a new one of its pixels alone: WebP, upright, at most 1600 px, without EXIF.
 * Whatever else was hidden in the file stays behind.
 * @throws AppError UNSUPPORTED_MEDIA for what is no picture by its first bytes, UNPROCESSABLE for one that is too large
 * to decode or broken.
 */
export async function readImage(bytes: Buffer): Promise<Buffer> {
  const type = await fileTypeFromBuffer(bytes)
  if (type === undefined || !takenTypes.has(type.mime)) {
    throw new AppError('UNSUPPORTED_MEDIA', 'Choose a picture: JPEG, PNG, WebP, GIF or AVIF.')
  }
  const input = () => sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
  try {
    // From the header, before a single pixel is decoded: a few bytes can promise gigabytes.
    const { width, height } = await input().metadata()
    if (width * height > pixelsMax) throw tooManyPixels()
    return await input()
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels()
    throw new AppError('UNPROCESSABLE', 'This picture cannot be read. Choose another one.', { cause: error })
  }
}

const tooManyPixels = () =>
  new AppError('UNPROCESSABLE', 'This picture has too many pixels. Choose one of at most 50 megapixels.')
