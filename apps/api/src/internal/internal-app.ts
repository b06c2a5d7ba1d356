import {
  mqttAuthPath,
  mqttAuthRequest,
  mqttRefusal,
  mqttRefusedPath,
  type MqttAuthAnswer,
  type MqttAuthRequest,
  type MqttRefusal
} from '@batti/contracts'
import { createHash, timingSafeEqual } from 'node:crypto'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'

export interface InternalAppOptions {
  secret: string
  log: Logger
  answerMqttAuth(request: MqttAuthRequest): Promise<MqttAuthAnswer>
  onMqttRefused(refusal: MqttRefusal): void
}

/** The hooks that only the broker may call: an address of their own, never the public one. */
export function createInternalApp({ secret, log, answerMqttAuth, onMqttRefused }: InternalAppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  // Nobody asks the same question twice.
  app.disable('etag')
  app.use(requireSecret(secret))
  app.use(express.json({ limit: '16kb' }))
  app.post(mqttAuthPath, async (req, res) => {
    const parsed = mqttAuthRequest.safeParse(req.body)
    try {
      res.json(parsed.success ? await answerMqttAuth(parsed.data) : { result: 'deny' })
    } catch (error) {
      // Not a denial: the broker tells the board to come back later.
      log.error({ err: error }, 'a board could not be checked')
      res.status(503).json({ result: 'ignore' })
    }
  })
  app.post(mqttRefusedPath, (req, res) => {
    const parsed = mqttRefusal.safeParse(req.body)
    if (parsed.success) onMqttRefused(parsed.data)
    res.status(parsed.success ? 204 : 400).end()
  })
  // Express's own answer would show the inside; the broker takes anything but 200 for a denial.
  const onFault: ErrorRequestHandler = (error, _req, res, next) => {
    log.warn({ err: error as unknown }, 'a question of the broker could not be read')
    if (res.headersSent) next(error)
    else res.status(400).json({ result: 'deny' })
  }
  app.use(onFault)
  return app
}

function requireSecret(secret: string): RequestHandler {
  const expected = createHash('sha256').update(`Bearer ${secret}`).digest()
  return (req, res, next) => {
    const given = createHash('sha256')
      .update(req.headers.authorization ?? '')
      .digest()
    if (timingSafeEqual(given, expected)) next()
    else res.status(401).end()
  }
}
