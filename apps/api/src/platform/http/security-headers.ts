import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** The page that posts a form to a board on the local network; it alone has a wider `form-action`. */
export const deviceSetupPagePath = '/user/devices/new'
/** Where a factory-fresh board answers on its own Wi-Fi. */
export const defaultSetupHost = 'http://192.168.4.1'

const privateHost =
  /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}|169\.254\.\d{1,3}\.\d{1,3}|localhost|[a-z0-9-]{1,63}\.local)(:\d{1,5})?$/i

/** `HOST[:PORT]` of a board as a form target, or null when it is not on a private network. */
export function setupTarget(host: unknown): string | null {
  return typeof host === 'string' && privateHost.test(host) ? `http://${host.toLowerCase()}` : null
}

/**
 * Helmet with our own policy. `upgrade-insecure-requests` is off: homes reach the product by plain http on their own
 * network, and the setup page must post to a board that speaks http only.
 */
export function securityHeaders(options: { https: boolean }): RequestHandler {
  const withFormAction = (formAction: string[]): RequestHandler =>
    helmet({
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
      },
      strictTransportSecurity: options.https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginEmbedderPolicy: false,
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' }
    })
  const ordinary = withFormAction(["'self'"])
  return (req, res, next) => {
    if (req.path !== deviceSetupPagePath) {
      ordinary(req, res, next)
      return
    }
    const chosen = setupTarget(req.query['board'])
    withFormAction(["'self'", defaultSetupHost, ...(chosen === null ? [] : [chosen])])(req, res, next)
  }
}
