import { addressGroup } from '@batti/kit/address'
import { LRUCache } from 'lru-cache'
import { notFound } from '../../app-error.ts'
import { limitConcurrency } from '../../limit-concurrency.ts'
import type { FileStore } from '../../store/files/files.ts'
import { createFairShare } from '../limits/fair-share.ts'
import { imageSeconds } from './read-image.ts'

/** An undefined width means the picture's own width. */
export interface PictureSize {
  width: number | undefined
  quality: number
}

interface PictureWish {
  width?: number | undefined
  quality?: number | undefined
}

/** Requests are rounded up to the next of these, because each variant costs time and memory. */
const widths = [100, 200, 300, 450, 600, 900, 1200]
const qualities = [20, 40, 60, 80]
const usualQuality = 80
const stepAbove = (steps: readonly number[], wanted: number): number | undefined => steps.find((step) => step >= wanted)

const cacheMaxBytes = 32 * 1024 * 1024
const knownWidthsMax = 10_000
const madeAtOnce = 2
/** Per address, so that another one never waits for more than one picture. */
const madeAtOnceOfOne = 1

const loadSharp = async () => (await import('sharp')).default

/** Shrinks a picture; never enlarges it. */
async function resize(original: Buffer, { width, quality }: PictureSize): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(original)
    .timeout({ seconds: imageSeconds })
    .resize({ ...(width === undefined ? {} : { width }), withoutEnlargement: true })
    .webp({ quality })
    .toBuffer()
}

/** Serves stored pictures in other sizes. Each variant is made once, and addresses take turns. */
export function createResizing(files: Pick<FileStore, 'get'>, makeSmaller = resize) {
  const made = new LRUCache<string, Buffer>({
    maxSize: cacheMaxBytes,
    maxEntrySize: cacheMaxBytes / 4,
    sizeCalculation: (bytes) => bytes.length
  })
  const knownWidths = new LRUCache<string, number>({ max: knownWidthsMax })
  const underWay = new Map<string, Promise<Buffer>>()
  const limited = limitConcurrency(madeAtOnce, 200)
  const share = createFairShare(madeAtOnceOfOne)

  async function widthOf(key: string, original: Buffer): Promise<number> {
    const known = knownWidths.get(key)
    if (known !== undefined) return known
    const { width } = await (await loadSharp())(original).metadata()
    knownWidths.set(key, width)
    return width
  }

  /** Reads the original only when its turn comes, so that queued requests hold no bytes. */
  async function make(key: string, size: PictureSize): Promise<Buffer> {
    const original = await files.get(key)
    if (original === null) throw notFound('File')
    return makeSmaller(original, size)
  }

  /** Returns the supported size for a requested one. */
  async function sizeFor(key: string, original: Buffer, wish: PictureWish): Promise<PictureSize> {
    const width = wish.width === undefined ? undefined : stepAbove(widths, wish.width)
    const isSmaller = width !== undefined && width < (await widthOf(key, original))
    return {
      width: isSmaller ? width : undefined,
      quality: stepAbove(qualities, wish.quality ?? usualQuality) ?? 100
    }
  }

  return {
    sizeFor,
    /** @throws AppError TOO_MANY_REQUESTS where this address has too many requests in the queue, UNAVAILABLE where all have. */
    async get(key: string, size: PictureSize, ip: string): Promise<Buffer> {
      const wanted = `${key}:${size.width ?? ''}:${size.quality}`
      const known = made.get(wanted) ?? underWay.get(wanted)
      if (known !== undefined) return known
      const making = share(addressGroup(ip), () => limited(() => make(key, size)))
      underWay.set(wanted, making)
      try {
        const bytes = await making
        made.set(wanted, bytes)
        return bytes
      } finally {
        underWay.delete(wanted)
      }
    }
  }
}
