import express, { Router } from 'express'
import { existsSync } from 'node:fs'

/** Below `/docs`: the generated reference as files. The page that shows it is the web app's own. */
export function docsPages({ referenceDir }: { referenceDir: string }): Router {
  const router = Router({ strict: true })
  if (existsSync(referenceDir)) router.use('/docs', express.static(referenceDir, { index: false, redirect: false }))
  return router
}
