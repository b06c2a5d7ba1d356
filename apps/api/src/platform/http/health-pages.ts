import { Router } from 'express'
import type { Metrics } from './metrics.ts'

export interface HealthOptions {
  metrics: Metrics
  /** Dependencies by name; each answers whether it can be used now. */
  checks: Record<string, () => Promise<boolean> | boolean>
  isStopping(): boolean
}

/** Liveness, readiness by dependency, and figures for Prometheus. */
export function healthPages({ metrics, checks, isStopping }: HealthOptions): Router {
  const router = Router()
  router.get('/healthz', (_req, res) => {
    res.json({ ok: true })
  })
  router.get('/readyz', async (_req, res) => {
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, boolean]> => [
        name,
        await Promise.resolve(check()).catch(() => false)
      ])
    )
    const isReady = !isStopping() && entries.every(([, isUp]) => isUp)
    res
      .status(isReady ? 200 : 503)
      .json({ ok: isReady, stopping: isStopping(), dependencies: Object.fromEntries(entries) })
  })
  router.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  return router
}
