import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { firmwareMaxBytes, pictureMaxBytes } from '@batti/contracts'
import { makeFolder } from '@batti/kit/node/folders'
import type { Request, RequestHandler, Response } from 'express'
import multer from 'multer'
import { AppError, invalid, refusedFile } from '../../app-error.ts'
import { limitConcurrency } from '../../limit-concurrency.ts'
import { hasRoomFor } from '../../store/files/disk-room.ts'
import type { UploadedFile, UploadKind } from '../call.ts'
import { createFairShare } from '../limits/fair-share.ts'
import { allowSlowBody } from '../limits/slow-bodies.ts'
import { readImage } from './read-image.ts'
import { uploadEnding } from './upload-leftovers.ts'
import { uploaderKey, type Uploader } from './uploads-under-way.ts'

/** Multer has no default limits; these bound what a form may contain besides its file. */
const formLimits = {
  files: 1,
  fields: 40,
  parts: 50,
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  headerPairs: 40,
  fieldNestingDepth: 1,
  fieldArrayIndexLimit: 100
}

/** Pictures decoded at a time: each may take 200 MB of memory. */
const decodedAtOnce = 1
/** Per account or address, so that another one never waits for more than one picture, which may take 20 s. */
const decodedAtOnceOfOne = 1
/** A file that is kept is copied before the upload is removed, so that both exist for a moment. */
const copiesAtOnce = 2

interface UploadsOptions {
  folder: string
  /** @throws AppError TOO_MANY_REQUESTS where this caller has sent too many pictures. */
  countPicture(from: Uploader): Promise<void>
  /** Counts an upload that begins. @throws AppError TOO_MANY_REQUESTS where too many are in progress. */
  begin(from: Uploader, res: Response): void
  /** Returns the free bytes on the disk of a folder. */
  freeBytes?: (folder: string) => number
  decode?: typeof readImage
}

/**
 * Reads the file of a multipart body: it is streamed to `folder`, and removed after the answer unless a feature has moved
 * it. A picture is decoded only when a feature asks for it, after the call was validated.
 */
export function createUploads(options: UploadsOptions): Record<UploadKind, (field: string) => RequestHandler> {
  const { decode = readImage } = options
  const limited = limitConcurrency(decodedAtOnce, 50)
  const share = createFairShare(decodedAtOnceOfOne)
  makeFolder(options.folder)

  return {
    image(field) {
      const receive = multer({
        storage: hashingStorage(options),
        limits: { ...formLimits, fileSize: pictureMaxBytes }
      }).single(field)
      return async (req, res, next) => {
        const from = { userId: req.actor?.userId, ip: req.ip ?? '' }
        if (typeof req.is('multipart/form-data') === 'string') options.begin(from, res)
        const upload = await received(field, receive, req, res)
        // Browsers send an empty file without a name if no picture was chosen.
        if (upload === undefined || (upload.size === 0 && upload.originalName === '')) return next()
        if (upload.size === 0) throw invalid(field, 'is empty: choose a picture')
        await options.countPicture(from)
        req.upload = {
          ...upload,
          decode: () => share(uploaderKey(from), () => limited(() => decode(upload.path, field)))
        }
        next()
      }
    },
    firmware(field) {
      const receive = multer({
        storage: hashingStorage(options),
        limits: { ...formLimits, fileSize: firmwareMaxBytes },
        fileFilter: (_req, file, done) => {
          if (/\.bin$/i.test(file.originalname)) done(null, true)
          else done(refusedFile('UNSUPPORTED_MEDIA', field, 'Choose a firmware file that ends in .bin.'))
        }
      }).single(field)
      return async (req, res, next) => {
        allowSlowBody(req)
        const upload = await received(field, receive, req, res)
        if (upload?.size === 0) throw invalid(field, 'is empty')
        if (upload !== undefined) req.upload = upload
        next()
      }
    }
  }
}

/** The same error as for a full disk, so that both get the same answer. */
const noRoom = () => Object.assign(new Error('What is left of the disk is kept free.'), { code: 'ENOSPC' })

/** Streams a file to disk and hashes it on the way. Multer passes on `filename`, which carries the digest here. */
function hashingStorage({ folder, freeBytes }: Pick<UploadsOptions, 'folder' | 'freeBytes'>): multer.StorageEngine {
  return {
    _handleFile(req, file, done) {
      const announced = Math.min(Number(req.headers['content-length'] ?? 0), firmwareMaxBytes)
      // A form without a picture stores nothing.
      const isFile = file.originalname !== ''
      if (isFile && !hasRoomFor(folder, announced * copiesAtOnce, freeBytes)) return done(noRoom())
      const path = join(folder, `${randomUUID()}${uploadEnding}`)
      const hash = createHash('sha256')
      let size = 0
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          hash.update(chunk)
          size += chunk.length
          next(null, chunk)
        }
      })
      pipeline(file.stream, measure, createWriteStream(path, { mode: 0o600 })).then(
        () => done(null, { path, size, filename: hash.digest('hex') }),
        (error: unknown) => void rm(path, { force: true }).finally(() => done(error))
      )
    },
    _removeFile(_req, file, done) {
      rm(file.path, { force: true }).then(() => done(null), done)
    }
  }
}

/**
 * Returns the file of the form, which is removed after the answer; undefined if none was sent. Multer's callback errors
 * go to the central error handler.
 */
async function received(
  field: string,
  receive: RequestHandler,
  req: Request,
  res: Response
): Promise<UploadedFile | undefined> {
  await new Promise<void>((resolve, reject) => {
    void receive(req, res, (error?: unknown) => {
      if (error === undefined || error === null) resolve()
      else if (error instanceof multer.MulterError && error.code === 'LIMIT_UNEXPECTED_FILE')
        reject(invalid(error.field ?? field, `is not where this call takes a file: send it as “${field}”`))
      else reject(error instanceof Error ? error : new Error('The form could not be read.'))
    })
  })
  // Multer skips a form whose Content-Type is malformed, and its body would look empty.
  if (typeof req.is('multipart/form-data') === 'string' && req.body === undefined)
    throw new AppError('VALIDATION', 'The form is not complete. Please send it again.')
  if (req.file === undefined) return undefined
  const { path, filename: sha256, originalname: originalName, size } = req.file
  res.on('close', () => void rm(path, { force: true }))
  return { originalName, size, path, sha256 }
}
