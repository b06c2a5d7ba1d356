import { healthPath, metricsPath, readyPath } from '@batti/contracts/http/own-paths'
import { Router } from 'express'
import { notFound } from '../../app-error.ts'

/** Whether the path is one that load balancers probe, every second or two. */
export const isProbe = (path: string): boolean => path === healthPath || path === readyPath

export interface HealthOptions {
  /** Dependencies by name; each check returns whether it is usable now. */
  checks: Record<string, () => Promise<boolean> | boolean>
  /** Optional dependencies: without them everything is served, with limitations. Reported, but they do not fail readiness. */
  optionalChecks?: Record<string, () => boolean> | undefined
  isStopping(): boolean
}

/** Serves liveness, and readiness by dependency. */
export function healthPages({ checks, optionalChecks = {}, isStopping }: HealthOptions): Router {
  const router = Router()
  router.get(healthPath, (_req, res) => {
    res.json({ ok: true })
  })
  router.get(readyPath, async (_req, res) => {
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, boolean]> => [
        name,
        await Promise.resolve(check()).catch(() => false)
      ])
    )
    const isReady = !isStopping() && entries.every(([, isUp]) => isUp)
    const degraded = Object.entries(optionalChecks).flatMap(([name, check]) => (works(check) ? [] : name))
    const dependencies = {
      ...Object.fromEntries(entries),
      ...Object.fromEntries(Object.keys(optionalChecks).map((name) => [name, !degraded.includes(name)]))
    }
    res.status(isReady ? 200 : 503).json({ ok: isReady, stopping: isStopping(), dependencies, degraded })
  })
  // Metrics have an address of their own; the web app must not answer for them here.
  router.all(metricsPath, () => {
    throw notFound('Page')
  })
  return router
}

function works(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
