import { createSemaphore } from '@batti/kit/semaphore'
import { Agent, errors } from 'undici'

export interface HookAnswer {
  readonly status: number
  readonly body: string
}

/** The hook gave no answer at all: unreachable, too slow, or too many are waiting. */
export class HookUnavailable extends Error {}

export interface HookClientOptions {
  readonly secret: string
  /** For one question, waiting for a turn included. */
  readonly timeoutMs: number
  readonly maxConcurrent: number
  readonly maxWaiting: number
}

const maxAnswerLength = 64 * 1024

/**
 * POSTs JSON to the api's hooks over kept-alive connections, a bounded number at a time: when the api is slow, the broker
 * neither piles up questions nor opens sockets without end.
 */
export function createHookClient(options: HookClientOptions) {
  const headers = { authorization: `Bearer ${options.secret}`, 'content-type': 'application/json' }
  const agent = new Agent({ connections: options.maxConcurrent, maxResponseSize: maxAnswerLength })
  const turns = createSemaphore(options.maxConcurrent, {
    waitingMax: options.maxWaiting,
    refusal: () => new HookUnavailable('too many questions are waiting')
  })

  async function send(url: URL, body: string, deadline: AbortSignal, mayRetry: boolean): Promise<HookAnswer> {
    try {
      const { origin, pathname, search } = url
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers,
        body,
        signal: deadline
      })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (error) {
      // A kept-alive connection that the api closed in the moment we used it says nothing about the api: ask once more.
      if (isClosedByPeer(error) && mayRetry && !deadline.aborted) return send(url, body, deadline, false)
      throw new HookUnavailable(error instanceof Error ? error.message : 'no answer')
    }
  }

  return {
    /** Throws `HookUnavailable` where there is no answer within the time-out. */
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
      void agent.destroy()
    }
  }
}

const isClosedByPeer = (error: unknown): boolean =>
  error instanceof errors.SocketError || (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')

export type HookClient = ReturnType<typeof createHookClient>
