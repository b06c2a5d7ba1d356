import { mqttAuthBatchMaxBytes } from '@batti/contracts'
import { messageOf } from '@batti/kit/message-of'
import { createSemaphore } from '@batti/kit/semaphore'
import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

export interface HookAnswer {
  readonly status: number
  readonly body: string
}

/** The hook gave no usable answer: it is unreachable, too slow, or too many requests are waiting. */
export class HookUnavailable extends Error {}

export interface HookClientOptions {
  readonly secret: string
  /** For one request, including the wait for a free slot. */
  readonly timeoutMs: number
  readonly maxConcurrent: number
  readonly maxWaiting: number
}

/**
 * POSTs JSON to the api's hooks over keep-alive connections. Concurrent and waiting requests are bounded, so that a slow
 * api makes the broker neither queue requests nor open sockets without limit.
 */
export function createHookClient(options: HookClientOptions) {
  const kept = { keepAlive: true, maxSockets: options.maxConcurrent }
  const http = new HttpAgent(kept)
  const https = new HttpsAgent(kept)
  const turns = createSemaphore(options.maxConcurrent, {
    waitingMax: options.maxWaiting,
    refusal: () => new HookUnavailable('too many questions are waiting')
  })

  function begin(url: URL, body: string, deadline: AbortSignal): ClientRequest {
    const settings = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${options.secret}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body)
      },
      signal: deadline
    }
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...settings, agent: https })
        : requestHttp(url, { ...settings, agent: http })
    return request.end(body)
  }

  async function send(url: URL, body: string, deadline: AbortSignal, mayRetry: boolean): Promise<HookAnswer> {
    const request = begin(url, body, deadline)
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve)
        // `on`, not `once`: a connection that breaks while the answer is read emits here, too.
        request.on('error', reject)
      })
      return await readAnswer(response)
    } catch (error) {
      // The api may close an idle keep-alive connection just as it is reused. That is no failure of the api: retry once.
      if (request.reusedSocket && isClosedByPeer(error) && mayRetry && !deadline.aborted)
        return send(url, body, deadline, false)
      throw new HookUnavailable(messageOf(error))
    }
  }

  return {
    /** Rejects with `HookUnavailable` when there is no answer within the time-out. */
    async post(url: URL, message: unknown): Promise<HookAnswer> {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new Error('no answer in time')), options.timeoutMs)
      try {
        const leave = await turns.enter(deadline.signal)
        try {
          return await send(url, JSON.stringify(message), deadline.signal, true)
        } finally {
          leave()
        }
      } finally {
        clearTimeout(timer)
      }
    },
    close(): void {
      http.destroy()
      https.destroy()
    }
  }
}

async function readAnswer(response: IncomingMessage): Promise<HookAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mqttAuthBatchMaxBytes) throw new Error(`the answer is longer than ${mqttAuthBatchMaxBytes} bytes`)
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }
}

const isClosedByPeer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

export type HookClient = ReturnType<typeof createHookClient>
