import {
  demoHistory,
  internalHistoryPath,
  internalOutboxPath,
  internalPasswordMarksPath,
  mqttAuthBatch,
  mqttAuthBatchMaxBytes,
  mqttAuthBatchPath,
  mqttAuthPath,
  mqttAuthRequest,
  mqttRefusal,
  mqttRefusedPath,
  type DemoHistory,
  type MqttAuthAnswer,
  type MqttAuthBatchAnswer,
  type MqttAuthRequest,
  type MqttRefusal,
  type OutboxMessage
} from '@batti/contracts'
import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { z } from 'zod'

export interface InternalAppOptions {
  secret: string
  log: Logger
  answerMqttAuth(request: MqttAuthRequest): Promise<MqttAuthAnswer>
  onMqttRefused(refusal: MqttRefusal): void
  /** Returns the messages that a demo would have sent; undefined where there is no outbox. */
  readOutbox?: ((to: string) => OutboxMessage[]) | undefined
  /** Writes an earlier history for the demo's switches; undefined where there is no outbox. */
  writeHistory?: ((history: DemoHistory) => Promise<void>) | undefined
  /** Returns, by e-mail, a value that changes whenever the account's password does; undefined in production. */
  passwordMarks?: ((emails: readonly string[]) => Promise<Map<string, string>>) | undefined
}

const someEmails = z.object({ emails: z.array(z.string()).max(10) })

interface Answer {
  status: number
  body?: object
}

const bodyMaxBytes = 16 * 1024
const historyMaxBytes = 256 * 1024

/**
 * Serves the hooks that only the broker may call, on an address of their own, never the public one. Avoids Express, which
 * costs more than the answer itself: after a power cut all boards of a street authenticate at once.
 */
export function createInternalApp({
  secret,
  log,
  answerMqttAuth,
  onMqttRefused,
  readOutbox,
  writeHistory,
  passwordMarks
}: InternalAppOptions): RequestListener {
  const hooks: Readonly<Record<string, (question: unknown) => Answer | Promise<Answer>>> = {
    async [mqttAuthPath](question) {
      const body = await judge(question)
      // Some brokers accept a client when they do not understand the answer, so it is always allow or deny, with status 200.
      return { status: 200, body: body.result === 'ignore' ? { result: 'deny' } : body }
    },
    async [mqttAuthBatchPath](questions) {
      const parsed = mqttAuthBatch.safeParse(questions)
      return parsed.success ? { status: 200, body: await Promise.all(parsed.data.map(judge)) } : { status: 400 }
    },
    [mqttRefusedPath](question) {
      const parsed = mqttRefusal.safeParse(question)
      if (parsed.success) onMqttRefused(parsed.data)
      return { status: parsed.success ? 204 : 400 }
    },
    ...(writeHistory && {
      async [internalHistoryPath](question: unknown) {
        const parsed = demoHistory.safeParse(question)
        if (parsed.success) await writeHistory(parsed.data)
        return parsed.success ? { status: 200, body: {} } : { status: 400, body: { message: parsed.error.message } }
      }
    }),
    ...(passwordMarks && {
      async [internalPasswordMarksPath](question: unknown) {
        const parsed = someEmails.safeParse(question)
        if (!parsed.success) return { status: 400, body: { message: parsed.error.message } }
        return { status: 200, body: { marks: Object.fromEntries(await passwordMarks(parsed.data.emails)) } }
      }
    })
  }

  async function judge(question: unknown): Promise<MqttAuthBatchAnswer[number]> {
    const parsed = mqttAuthRequest.safeParse(question)
    try {
      return parsed.success ? await answerMqttAuth(parsed.data) : { result: 'deny' }
    } catch (error) {
      // Not a denial: the broker tells the board to retry later.
      log.error({ err: error }, 'a board could not be checked')
      return { result: 'ignore' }
    }
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    if (!constantTimeEqual(request.headers.authorization ?? '', `Bearer ${secret}`)) return { status: 401 }
    const url = URL.parse(request.url ?? '', 'http://internal')
    if (request.method === 'GET' && url?.pathname === internalOutboxPath && readOutbox !== undefined) {
      return { status: 200, body: readOutbox(url.searchParams.get('to') ?? '') }
    }
    const hook = request.method === 'POST' ? hooks[request.url ?? ''] : undefined
    if (hook === undefined) return { status: 404 }
    let question: unknown
    try {
      question = await readJson(request, maxBytesOf(request.url))
    } catch (error) {
      log.warn({ err: error }, 'a question of the broker could not be read')
      return denial(request.url)
    }
    return hook(question)
  }

  return (request, response) => {
    answer(request).then(
      ({ status, body }) => send(response, status, body),
      (error: unknown) => {
        log.error({ err: error }, 'a question of the broker could not be answered')
        send(response, 500)
      }
    )
  }
}

const longest: Readonly<Record<string, number>> = {
  [mqttAuthBatchPath]: mqttAuthBatchMaxBytes,
  [internalHistoryPath]: historyMaxBytes
}
const maxBytesOf = (path: string | undefined): number => longest[path ?? ''] ?? bodyMaxBytes

const denial = (path: string | undefined): Answer =>
  path === mqttAuthPath ? { status: 200, body: { result: 'deny' } } : { status: 400, body: { result: 'deny' } }

/** @throws Error for a body that is not JSON or is too long; the rest of it is not read. */
function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
      if (text.length <= maxBytes) return
      request.pause()
      reject(new Error(`longer than ${maxBytes} bytes`))
    })
    request.on('error', reject)
    request.on('end', () => {
      try {
        resolve(JSON.parse(text))
      } catch (error) {
        reject(error instanceof Error ? error : new Error('no JSON'))
      }
    })
  })
}

function send(response: ServerResponse, status: number, body?: object): void {
  // The unread rest of a body must not be parsed as the next request.
  if (!response.req.complete) response.setHeader('connection', 'close')
  if (body === undefined) response.writeHead(status).end()
  else {
    const text = JSON.stringify(body)
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text)
  }
}
