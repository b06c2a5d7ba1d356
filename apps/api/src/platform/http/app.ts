import { apiBasePath } from '@batti/contracts'
import compression from 'compression'
import cookieParser from 'cookie-parser'
import cors from 'cors'
import { isRecord } from '@batti/kit/json'
import express, { type Express, type RequestHandler, type Router } from 'express'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Refusal } from '../events.ts'
import type { RouteHandler } from './call.ts'
import { isProbe } from './pages/health-pages.ts'
import { plainForwardedFor } from './addresses/client-address.ts'
import { createErrorHandler } from './error-handler.ts'
import type { Metrics } from './metrics.ts'
import { mountRoutes, type MountOptions } from './mount-routes.ts'
import { refuseForeignHosts, type IsOwnHost } from './addresses/own-hosts.ts'
import { requestIdOf, requestLog } from './request-log.ts'
import { isBuildFile, securityHeaders } from './security-headers.ts'

export interface AppParts extends MountOptions {
  log: Logger
  metrics: Metrics
  handlers: readonly RouteHandler[]
  /** Health, documents, files and the outbox: everything outside the api base. */
  pages: readonly Router[]
  trustProxy: readonly string[]
  corsOrigins: readonly string[]
  https: boolean
  /** Whether a `Host` header names this server; others are refused. */
  isOwnHost: IsOwnHost
  /** Refuses blocked addresses, before anything else is read. */
  addressGuard: RequestHandler
  /** Once true, connections are closed after their answer, so that the load balancer uses another instance. */
  isStopping(): boolean
  /** Called for each answer with 401, 403 or 429. */
  onRefused(refusal: Refusal): void
}

/** Creates the Express app from its parts. It never listens. */
export function createApp(parts: AppParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', [...parts.trustProxy])
  app.set('query parser', 'simple')
  app.use(plainForwardedFor)
  app.use(requestLog(parts.log))
  app.use((req, res, next) => {
    res.setHeader('X-Request-Id', requestIdOf(req))
    if (parts.isStopping()) res.setHeader('Connection', 'close')
    next()
  })
  app.use(observe(parts))
  app.use(securityHeaders({ https: parts.https }))
  app.use(limitUrl)
  app.use(parts.addressGuard)
  app.use(refuseForeignHosts(parts.isOwnHost))
  const shared = cors({ origin: [...parts.corsOrigins], credentials: true, maxAge: 600 })
  app.use((req, res, next) => (isBuildFile(req.path) ? next() : shared(req, res, next)))
  app.use(compression({ threshold: 1000 }))
  app.use(cookieParser())

  const api = express.Router()
  api.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  api.use(requireKnownBody)
  api.use(express.json({ limit: '256kb', verify: refuseManyValues }))
  api.use(express.urlencoded({ limit: '256kb', extended: false }))
  api.use(refuseJsonAsForm)
  api.use(mountRoutes(parts.handlers, parts))
  api.use(methodOrPathUnknown(parts.handlers))
  app.use(apiBasePath, api)

  for (const page of parts.pages) app.use(page)
  app.use(() => {
    throw new AppError('NOT_FOUND', 'That page does not exist.')
  })
  app.use(createErrorHandler(parts.log))
  return app
}

const limitUrl: RequestHandler = (req, _res, next) => {
  if (req.url.length > 4096) throw new AppError('URI_TOO_LONG', 'The address is too long.')
  next()
}

const hasBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Refuses bodies in a format that no parser reads: they would otherwise look empty. */
const requireKnownBody: RequestHandler = (req, _res, next) => {
  const length = Number(req.headers['content-length'] ?? 0)
  const isSent = length > 0 || req.headers['transfer-encoding'] !== undefined
  if (hasBody.has(req.method) && isSent && req.is(['json', 'urlencoded', 'multipart/form-data']) === false) {
    throw new AppError('UNSUPPORTED_MEDIA', 'Send the body as application/json or multipart/form-data.')
  }
  next()
}

/** Twice as many as the longest list of a body has. Without a limit, reading a body of nothing but brackets takes 50 ms. */
const valuesMax = 20_000
const startsValue = new Set(Buffer.from('[{,'))

/** Counts the values of JSON before it is parsed, by the signs before them. */
function refuseManyValues(_req: unknown, _res: unknown, json: Buffer): void {
  let values = 0
  for (const byte of json) if (startsValue.has(byte)) values += 1
  if (values > valuesMax) throw Object.assign(new Error('too many values'), { type: 'parameters.too.many' })
}

/** Refuses JSON sent as a form, the default of `curl -d`: all of it would become the name of one unknown field. */
const refuseJsonAsForm: RequestHandler = (req, _res, next) => {
  const body: unknown = req.body
  const isForm = typeof req.is('urlencoded') === 'string'
  if (isForm && isRecord(body) && Object.keys(body).some((name) => /^\s*\{/.test(name)))
    throw new AppError('UNSUPPORTED_MEDIA', 'Send JSON as application/json.')
  next()
}

/** Answers 405 with `Allow` where the path exists with another method, else 404. */
function methodOrPathUnknown(handlers: readonly RouteHandler[]): RequestHandler {
  const paths = handlers.map(({ route }) => ({
    method: route.method.toUpperCase(),
    pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
  }))
  return (req, res) => {
    const allowed = paths.filter(({ pattern }) => pattern.test(req.path)).map(({ method }) => method)
    if (allowed.length === 0) throw new AppError('NOT_FOUND', 'That call does not exist. See /docs.')
    res.setHeader('Allow', [...new Set(allowed)].join(', '))
    throw new AppError(
      'METHOD_NOT_ALLOWED',
      `${req.method} is not possible here. Use ${[...new Set(allowed)].join(' or ')}.`
    )
  }
}

const refusals = new Set([401, 403, 429])

function observe({ metrics, onRefused }: AppParts): RequestHandler {
  return (req, res, next) => {
    // Probes are not counted as requests, because red readiness is not a failed request.
    const isCounted = !isProbe(req.path)
    const stop = metrics.httpRequests.startTimer()
    res.on('finish', () => {
      const route = typeof res.locals['route'] === 'string' ? res.locals['route'] : 'other'
      if (isCounted) stop({ method: req.method, route, status: String(res.statusCode) })
      if (refusals.has(res.statusCode)) {
        onRefused({
          ip: req.ip ?? '',
          method: req.method,
          url: req.originalUrl,
          userAgent: req.headers['user-agent'] ?? ''
        })
      }
    })
    next()
  }
}
