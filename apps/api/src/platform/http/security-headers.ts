import { apiBasePath } from '@batti/contracts'
import { localHttpHost } from '@batti/kit/address'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** The page that posts a form to a board on the local network, and alone has a wider `form-action`. Matches like the web app. */
export const deviceSetupPage = /^\/user\/devices\/new\/*$/i
/** Where a factory-fresh board answers on its own Wi-Fi. */
const defaultSetupHost = 'http://192.168.4.1'

/**
 * Returns `HOST[:PORT]` of a board as a source of `form-action`, or null if it is not in the local network. The source
 * grammar has no IPv6 (browsers ignore `http://[fe80::1]`), so there any host at that port is allowed. The page posts only to
 * its own `?board=`, which it checks by the same rule.
 */
export function setupTarget(board: unknown): string | null {
  const host = typeof board === 'string' ? localHttpHost(board) : null
  if (host === null) return null
  return host.startsWith('[') ? `http://*:${new URL(`http://${host}`).port || 80}` : `http://${host}`
}

/** Files of the app's build, which only its own pages use. */
export const isBuildFile = (path: string): boolean => path.startsWith('/assets/') || path === '/theme.js'

/**
 * Helmet with our own policy. `upgrade-insecure-requests` is off, because homes use plain http on their own network, and the
 * setup page must post to a board that speaks only http.
 */
export function securityHeaders(options: { https: boolean }): RequestHandler {
  const ofAll = {
    strictTransportSecurity: options.https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' }
  } as const
  // Answers of calls are data: they load and embed nothing, and what only a page needs would add half a kilobyte to each.
  const ofCalls = helmet({
    ...ofAll,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: Object.fromEntries(
        ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => [name, ["'none'"]])
      )
    },
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false
  })
  const withFormAction = (formAction: string[]): RequestHandler =>
    helmet({
      ...ofAll,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          baseUri: ["'none'"],
          objectSrc: ["'none'"],
          frameAncestors: ["'none'"],
          frameSrc: ["'self'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          mediaSrc: ["'self'"],
          fontSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          connectSrc: ["'self'"],
          workerSrc: ["'self'"],
          manifestSrc: ["'self'"],
          formAction
        }
      }
    })
  const ordinary = withFormAction(["'self'"])
  return (req, res, next) => {
    // Build files and the theme's script are no documents: page policies would only add a kilobyte to each.
    if (isBuildFile(req.path)) {
      res.setHeader('X-Content-Type-Options', 'nosniff')
      res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
      next()
      return
    }
    if (!deviceSetupPage.test(req.path)) {
      const own = req.path.startsWith(`${apiBasePath}/`) ? ofCalls : ordinary
      own(req, res, next)
      return
    }
    const chosen = setupTarget(req.query['board'])
    withFormAction(["'self'", defaultSetupHost, ...(chosen === null ? [] : [chosen])])(req, res, next)
  }
}
