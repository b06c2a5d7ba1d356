import { createHash } from 'node:crypto'
import { Router, type Response } from 'express'
import { z } from 'zod'
import { notFound } from '../../app-error.ts'
import type { FileStore } from '../../store/files/files.ts'
import { createResizing } from './resized-pictures.ts'
import { parseInput } from '../validate.ts'

export const imageUrlOf = (key: string): string => `/files/${key}`

const sizes = z.object({
  width: z.coerce.number().int().min(1).max(4096).optional(),
  quality: z.coerce.number().int().min(1).max(100).optional()
})

/**
 * Serves uploaded pictures: `GET /files/images/<name>.webp?width=300&quality=60`. They are resized on request to the next
 * larger of a few sizes, never enlarged. Names are random and never reused, so answers may be cached forever.
 */
export function filesPage(options: { files: FileStore }): Router {
  const { files } = options
  const resizing = createResizing(files)
  const router = Router()

  router.get('/files/images/:name', async (req, res) => {
    const name = req.params.name
    if (!/^[A-Za-z0-9_-]{1,64}\.webp$/.test(name)) throw notFound('File')
    const { width, quality } = parseInput(sizes, req.query)
    const key = `images/${name}`
    const original = await files.get(key)
    if (original === null) throw notFound('File')
    if (width === undefined && quality === undefined) return answer(res, original)
    const size = await resizing.sizeFor(key, original, { width, quality })
    return answer(res, await resizing.get(key, size, req.ip ?? ''))
  })
  return router
}

function answer(res: Response, bytes: Buffer): void {
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  res.setHeader('ETag', `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  // A sandbox without rights, in case a browser treats the file as a document.
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox")
  res.setHeader('Content-Disposition', 'inline')
  res.setHeader('Cross-Origin-Resource-Policy', 'same-site')
  if (res.req.fresh) res.status(304).end()
  else res.type('image/webp').end(bytes)
}
