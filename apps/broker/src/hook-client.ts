import { EventEmitter } from 'node:events'
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

interface Deadline {
  over: boolean
  onLate: (() => void) | null
}

/**
 * POSTs JSON to the api's hooks over kept-alive connections, a bounded number at a time: when the api is slow, the broker
 * neither piles up questions nor opens sockets without end (fault F35).
 */
export function createHookClient(options: HookClientOptions) {
  const headers = { authorization: `Bearer ${options.secret}`, 'content-type': 'application/json' }
  const agent = new Agent({ connections: options.maxConcurrent, maxResponseSize: maxAnswerLength })
  const waiting: ((mayStart: boolean) => void)[] = []
  let active = 0

  async function send(url: URL, body: string, deadline: Deadline, mayRetry: boolean): Promise<HookAnswer> {
    const signal = new EventEmitter()
    deadline.onLate = () => signal.emit('abort', new Error('no answer in time'))
    try {
      const { origin, pathname, search } = url
      const answer = await agent.request({ origin, path: pathname + search, method: 'POST', headers, body, signal })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (error) {
      // A kept-alive connection that the api closed in the moment we used it says nothing about the api: ask once more.
      if (isClosedByPeer(error) && mayRetry && !deadline.over) return send(url, body, deadline, false)
      throw new HookUnavailable(error instanceof Error ? error.message : 'no answer')
    }
  }

  /** Resolves to true when it may start; to false when too many wait, or its time was over before its turn came. */
  function turn(deadline: Deadline): Promise<boolean> | true {
    if (active < options.maxConcurrent) {
      active += 1
      return true
    }
    if (waiting.length >= options.maxWaiting) return Promise.resolve(false)
    return new Promise((resolve) => {
      waiting.push(resolve)
      deadline.onLate = () => {
        waiting.splice(waiting.indexOf(resolve), 1)
        resolve(false)
      }
    })
  }

  function endTurn(): void {
    const next = waiting.shift()
    if (next === undefined) active -= 1
    else next(true)
  }

  return {
    /** Throws `HookUnavailable` where there is no answer within the time-out. */
    async post(url: URL, message: unknown): Promise<HookAnswer> {
      const deadline: Deadline = { over: false, onLate: null }
      const timer = setTimeout(() => {
        deadline.over = true
        deadline.onLate?.()
      }, options.timeoutMs)
      try {
        const mayStart = turn(deadline)
        if (mayStart !== true && !(await mayStart)) throw new HookUnavailable('too many questions are waiting')
        try {
          return await send(url, JSON.stringify(message), deadline, true)
        } finally {
          endTurn()
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
