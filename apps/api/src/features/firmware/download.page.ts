import { pipeline } from 'node:stream/promises'
import { Router, type Response } from 'express'
import { z } from 'zod'
import { forbidden, notFound } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import { parseInput } from '../../platform/http/validate.ts'
import type { FileStore } from '../../platform/store/files/files.ts'
import type { FileLinks } from './file-links.ts'
import { storageKeyOf } from './upload-image.ts'
import type { FirmwareFilesRepository } from './firmware-files.repository.ts'
import type { DownloadThrottle } from './throttle-downloads.ts'

const linkQuery = z.object({
  expires: z.coerce.number().int(),
  device: z.string().max(64).optional(),
  signature: z.string().max(128)
})

export interface DownloadOptions {
  files: Pick<FirmwareFilesRepository, 'findById'>
  storage: Pick<FileStore, 'open'>
  links: FileLinks
  clock: Clock
  throttle: DownloadThrottle
  /** Called when a file is listed and its bytes are gone from the storage. */
  onMissing(filename: string): void
}

/** `GET /files/firmware/<id>/<name>?expires&signature`: serves an image to boards and staff, with ranges to resume downloads. */
export function downloadPage(options: DownloadOptions): Router {
  const { files, storage, links, clock, throttle } = options
  const router = Router()
  const sending = new Map<string, Response>()

  /** A board loads one image at a time: when it asks again, its earlier connection is dead. */
  function endEarlier(device: string, res: Response): void {
    if (res.destroyed) return
    sending.get(device)?.destroy()
    sending.set(device, res)
    res.once('close', () => {
      if (sending.get(device) === res) sending.delete(device)
    })
  }

  router.get('/files/firmware/:id/:filename', async (req, res) => {
    const { id } = req.params
    const query = parseInput(linkQuery, req.query)
    const verdict = links.judge(id, query, clock.now())
    if (verdict === 'wrong') throw forbidden('This link is not valid. Open the list of firmware files again.')
    if (verdict === 'expired') throw forbidden('This link has expired. Open the list of firmware files again.')
    const file = await files.findById(id)
    if (file === null) throw notFound('File')
    // Only the unit bytes is supported; others are ignored (RFC 9110 §14.2).
    const ranges = /^bytes=/i.test(req.headers.range ?? '') ? req.range(file.size) : undefined
    const isFresh = req.headers['if-range'] === undefined || req.headers['if-range'] === `"${file.sha256}"`
    if (ranges === -1) {
      res
        .status(416)
        .set({ ...headersOf(file), 'Content-Range': `bytes */${file.size}` })
        .end()
      return
    }
    const range = Array.isArray(ranges) && ranges.length === 1 && isFresh ? ranges[0] : undefined
    const { start, end } = range ?? { start: 0, end: file.size - 1 }
    const bytes = req.method === 'HEAD' ? undefined : await storage.open(storageKeyOf(id), { start, end })
    if (bytes === null) {
      options.onMissing(file.filename)
      throw notFound('File')
    }
    if (range !== undefined) res.status(206).set('Content-Range', `bytes ${start}-${end}/${file.size}`)
    res.set({ ...headersOf(file), 'Content-Length': String(end - start + 1) })
    if (bytes === undefined) {
      res.end()
      return
    }
    if (query.device !== undefined) endEarlier(query.device, res)
    // A client that disconnects resumes with a range; this is no error.
    await pipeline(bytes, (source) => throttle(source, () => res.destroyed), res).catch(
      (error: NodeJS.ErrnoException) => {
        if (!res.headersSent && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
        res.destroy()
      }
    )
  })
  return router
}

const headersOf = ({ filename, sha256 }: { filename: string; sha256: string }) => ({
  'Accept-Ranges': 'bytes',
  // Compressed, it would have no length, and ranges would be impossible.
  'Cache-Control': 'private, no-store, no-transform',
  'Content-Disposition': `attachment; filename="${filename}"`,
  'Content-Type': 'application/octet-stream',
  ETag: `"${sha256}"`,
  'X-Content-Type-Options': 'nosniff'
})
