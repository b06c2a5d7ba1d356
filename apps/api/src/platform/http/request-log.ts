import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'

/** A parameter: what stands before it, its name, and its value up to the next one, whichever sign parts the two. */
const parameter = /([?&;])([^=&;?#]*)=(.*?)(?=[&#]|[;?][^=&;?#]*=|$)/g
const secretName = /token|code|otp|pass|secret|key|signature|auth/i

/** As the router reads it: `%74oken` is `token`. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Tokens travel in some query strings (links in mails): they are cut out before a path is logged. */
const withoutSecrets = (url: string): string =>
  url.replaceAll(parameter, (whole, mark: string, name: string) =>
    secretName.test(decoded(name)) ? `${mark}${name}=[redacted]` : whole
  )

/** The id of a request, as its answer and its log lines carry it. */
export const requestIdOf = (req: IncomingMessage): string => (typeof req.id === 'string' ? req.id : '')

/** One line for each answer, with its request id; what the client sends as an id is not trusted. */
export function requestLog(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: () => randomUUID(),
    autoLogging: { ignore: (req) => req.url === '/healthz' || req.url === '/readyz' || req.url === '/metrics' },
    customLogLevel: (_req, res, error) =>
      error !== undefined || res.statusCode >= 500 ? 'error' : res.statusCode >= 400 ? 'info' : 'debug',
    serializers: {
      req: (req: { id: string; method: string; url: string }) => ({
        id: req.id,
        method: req.method,
        url: withoutSecrets(req.url)
      }),
      res: (res: { statusCode: number }) => ({ statusCode: res.statusCode })
    }
  })
}
