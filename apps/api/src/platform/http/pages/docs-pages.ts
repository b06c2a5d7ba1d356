import express, { Router } from 'express'
import { existsSync } from 'node:fs'

/** Serves the generated reference as files below `/docs`. The page that shows it belongs to the web app. */
export function docsPages({ referenceDir }: { referenceDir: string }): Router {
  const router = Router({ strict: true })
  if (existsSync(referenceDir)) router.use('/docs', express.static(referenceDir, { index: false, redirect: false }))
  return router
}
