import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import { isProbe } from './pages/health-pages.ts'

/** A parameter: the separator before it, its name, and its value up to the next one, whichever separator is used. */
const parameter = /([?&;])([^=&;?#]*)=(.*?)(?=[&#]|[;?][^=&;?#]*=|$)/g
const secretName = /token|code|otp|pass|secret|key|signature|auth/i

/** Decodes a name like the router does: `%74oken` is `token`. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Removes secrets from a URL before it is logged: links in mails carry tokens in their query. */
const withoutSecrets = (url: string): string =>
  url.replaceAll(parameter, (whole, mark: string, name: string) =>
    secretName.test(decoded(name)) ? `${mark}${name}=[redacted]` : whole
  )

/** Returns the id of a request, as in its answer and its log lines. */
export const requestIdOf = (req: IncomingMessage): string => (typeof req.id === 'string' ? req.id : '')

/** Logs one line for each answer, with its request id. An id sent by the client is not trusted. */
export function requestLog(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: () => randomUUID(),
    autoLogging: { ignore: (req) => isProbe(req.url ?? '') },
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
