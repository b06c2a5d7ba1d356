import http from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'

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

/** A time-out without an AbortController, which costs more than the question. */
interface Deadline {
  over: boolean
  onLate: (() => void) | null
}

/**
 * POSTs JSON to the api's hooks over kept-alive connections, a bounded number at a time: when the api is slow, the broker
 * neither piles up questions nor opens sockets without end (fault F35).
 */
export function createHookClient(options: HookClientOptions) {
  const authorization = `Bearer ${options.secret}`
  const agents = {
    http: new http.Agent({ keepAlive: true, maxSockets: options.maxConcurrent }),
    https: new https.Agent({ keepAlive: true, maxSockets: options.maxConcurrent })
  }
  /** Each address is taken apart once. */
  const targets = new WeakMap<URL, http.RequestOptions>()
  const waiting: ((mayStart: boolean) => void)[] = []
  let active = 0

  function targetOf(url: URL): http.RequestOptions {
    const known = targets.get(url)
    if (known !== undefined) return known
    const target = {
      ...urlToHttpOptions(url),
      method: 'POST',
      agent: url.protocol === 'https:' ? agents.https : agents.http
    }
    targets.set(url, target)
    return target
  }

  function send(url: URL, body: Buffer, deadline: Deadline, mayRetry: boolean): Promise<HookAnswer> {
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request({
        ...targetOf(url),
        headers: { authorization, 'content-type': 'application/json', 'content-length': body.length }
      })
      deadline.onLate = () => request.destroy(new Error('no answer in time'))
      request.on('error', (error) => {
        // A kept-alive connection that the api closed in the moment we used it says nothing about the api: ask once more.
        if (request.reusedSocket && mayRetry && !deadline.over) resolve(send(url, body, deadline, false))
        else reject(new HookUnavailable(error.message))
      })
      request.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (text.length > maxAnswerLength) request.destroy(new Error('answer too long'))
        })
        response.on('error', (error) => reject(new HookUnavailable(error.message)))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      })
      request.end(body)
    })
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
          return await send(url, Buffer.from(JSON.stringify(message)), deadline, true)
        } finally {
          endTurn()
        }
      } finally {
        clearTimeout(timer)
      }
    },
    close(): void {
      agents.http.destroy()
      agents.https.destroy()
    }
  }
}

export type HookClient = ReturnType<typeof createHookClient>
