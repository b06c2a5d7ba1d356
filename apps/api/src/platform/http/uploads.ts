import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { makeFolder } from '@batti/kit/node/folders'
import type { RequestHandler } from 'express'
import multer from 'multer'
import { AppError, invalid } from '../app-error.ts'
import { limitConcurrency } from '../limit-concurrency.ts'
import type { UploadKind } from './call.ts'
import { readImage } from './read-image.ts'

export const imageMaxBytes = 5 * 1024 * 1024
export const firmwareMaxBytes = 16 * 1024 * 1024

/** Multer has no limits of its own; these bound what a form may hold besides its one file. */
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

/** Pictures decoded at a time: each may take 200 MB for a moment. */
const decodedAtOnce = 2

/**
 * Reads the one file of a multipart body. Pictures go through memory and arrive decoded and re-encoded (`read-image.ts`);
 * firmware is streamed to a file in `folder`, which is removed after the answer unless a feature has moved it away.
 */
export function createUploads(options: { folder: string }): Record<UploadKind, (field: string) => RequestHandler> {
  const inTurn = limitConcurrency(decodedAtOnce, 50)
  makeFolder(options.folder)

  return {
    image(field) {
      const receive = multer({
        storage: multer.memoryStorage(),
        limits: { ...formLimits, fileSize: imageMaxBytes }
      }).single(field)
      return async (req, res, next) => {
        await received(receive, req, res, next)
        if (req.file === undefined) return next()
        const { buffer, originalname } = req.file
        // Browsers send an empty file for a picture that was not chosen.
        if (buffer.length > 0) {
          const picture = await inTurn(() => readImage(buffer))
          req.upload = { originalName: originalname, size: picture.length, buffer: picture }
        }
        next()
      }
    },
    firmware(field) {
      const receive = multer({
        storage: multer.diskStorage({
          destination: options.folder,
          filename: (_req, _file, done) => done(null, `${randomUUID()}.upload`)
        }),
        limits: { ...formLimits, fileSize: firmwareMaxBytes },
        fileFilter: (_req, file, done) => {
          if (/\.bin$/i.test(file.originalname)) done(null, true)
          else done(new AppError('UNSUPPORTED_MEDIA', 'Choose a firmware file that ends in .bin.'))
        }
      }).single(field)
      return async (req, res, next) => {
        await received(receive, req, res, next)
        if (req.file === undefined) return next()
        const { path, originalname, size } = req.file
        res.on('close', () => void rm(path, { force: true }))
        if (size === 0) throw invalid(field, 'is empty')
        req.upload = { originalName: originalname, size, path }
        next()
      }
    }
  }
}

/** Multer answers by callback; what it throws becomes an answer in the one error handler. */
function received(receive: RequestHandler, ...[req, res]: Parameters<RequestHandler>): Promise<void> {
  return new Promise((resolve, reject) => {
    void receive(req, res, (error?: unknown) => {
      if (error === undefined || error === null) resolve()
      else reject(error instanceof Error ? error : new Error('The form could not be read.'))
    })
  })
}
