import { systemClock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { RequestHandler, Router } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { UploadKind } from '../call.ts'
import { filesPage } from './files-page.ts'
import { removeLeftoversPeriodically } from './upload-leftovers.ts'
import { createUploadsUnderWay, uploaderKey } from './uploads-under-way.ts'
import { createUploads } from './uploads.ts'
import { createDiskFiles, isFileKey, type FileStore } from '../../store/files/files.ts'
import { createNotedFiles } from '../../store/files/noted-files.ts'

export interface Pictures {
  uploads: Record<UploadKind, (field: string) => RequestHandler>
  files: FileStore
  /** Stores a picture that `uploads.image` has read, and returns its key. */
  storeImage(image: Buffer): Promise<string>
  /** Removes a picture by its key or its URL. */
  removeImage(image: string): Promise<void>
  /** Removes files that were stored for a record which `isNamed` does not find. */
  settleFiles(isNamed: (key: string) => Promise<boolean>): Promise<void>
  page: Router
}

interface PicturesParts {
  config: Config
  log: Logger
  limits: RateLimits
}

const imageFolder = 'images/'
/** Uploads of up to 5 MB each. */
const uploadsAtOnce = { each: 40, strangers: 100 }

/** Reads uploaded pictures from forms, stores them on disk or in S3, and serves them. */
export async function createPictures({ config, log, limits }: PicturesParts): Promise<Pictures> {
  const kept = join(config.dataDir, 'files')
  const folder = join(config.dataDir, 'uploads')
  const { files, settleNotes } = createNotedFiles(await createFiles(config, kept), join(config.dataDir, 'notes'))
  const isLimited = config.LIMIT_PICTURES > 0
  const uploadsOfOne = { name: 'pictures', points: config.LIMIT_PICTURES, windowMs: 10 * minuteMs }
  const uploads = createUploads({
    folder,
    begin: isLimited ? createUploadsUnderWay(uploadsAtOnce) : () => undefined,
    countPicture: (from) => limits.consume(uploadsOfOne, uploaderKey(from))
  })
  removeLeftoversPeriodically([folder, kept], log)
  return {
    uploads,
    files,
    async storeImage(image) {
      const key = `${imageFolder}${randomBytes(16).toString('hex')}.webp`
      await files.put(key, image, 'image/webp')
      return key
    },
    async removeImage(image) {
      // Records hold a key or a URL. Pictures that were never uploaded here are left alone.
      const key = image.slice(image.indexOf(imageFolder))
      if (!isFileKey(key)) return
      await files.remove(key).catch((error: unknown) => log.warn({ err: error, key }, 'a picture could not be removed'))
    },
    settleFiles: (isNamed) => settleNotes(isNamed, systemClock.now()),
    page: filesPage({ files })
  }
}

async function createFiles(config: Config, folder: string): Promise<FileStore> {
  const { S3_BUCKET: bucket, S3_REGION: region = 'us-east-1', S3_ENDPOINT: endpoint } = config
  if (bucket === undefined) return createDiskFiles(folder)
  // Loaded on demand: the SDK is large, and a home has no bucket.
  const { createS3Files } = await import('../../store/files/s3-files.ts')
  return createS3Files({ bucket, region, endpoint, accessKey: config.S3_ACCESS_KEY, secretKey: config.S3_SECRET_KEY })
}
