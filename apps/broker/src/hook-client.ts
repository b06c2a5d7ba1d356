import http from 'node:http'
import https from 'node:https'

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

const maxAnswerBytes = 64 * 1024

/**
 * POSTs JSON to the api's hooks over kept-alive connections, a bounded number at a time: when the api is slow, the broker
 * neither piles up questions nor opens sockets without end (fault F35).
 */
export function createHookClient(options: HookClientOptions) {
  const agents = {
    http: new http.Agent({ keepAlive: true, maxSockets: options.maxConcurrent }),
    https: new https.Agent({ keepAlive: true, maxSockets: options.maxConcurrent })
  }
  const waiting: { start: () => void }[] = []
  let active = 0

  function send(url: URL, body: Buffer, signal: AbortSignal, mayRetry: boolean): Promise<HookAnswer> {
    return new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:'
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        signal,
        headers: {
          authorization: `Bearer ${options.secret}`,
          'content-type': 'application/json',
          'content-length': body.length
        }
      })
      request.on('error', (error) => {
        // A kept-alive connection that the api closed in the moment we used it says nothing about the api: ask once more.
        if (request.reusedSocket && mayRetry && !signal.aborted) resolve(send(url, body, signal, false))
        else reject(new HookUnavailable(signal.aborted ? 'no answer in time' : error.message))
      })
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > maxAnswerBytes) response.destroy(new Error('answer too long'))
          else chunks.push(chunk)
        })
        response.on('error', (error) => reject(new HookUnavailable(error.message)))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
      })
      request.end(body)
    })
  }

  /** Resolves when it may start; false when the time was over before its turn came. */
  function turn(signal: AbortSignal): Promise<boolean> {
    if (active < options.maxConcurrent) {
      active += 1
      return Promise.resolve(true)
    }
    if (waiting.length >= options.maxWaiting) return Promise.resolve(false)
    return new Promise((resolve) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(entry), 1)
        resolve(false)
      }
      const entry = {
        start: () => {
          signal.removeEventListener('abort', giveUp)
          resolve(true)
        }
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.push(entry)
    })
  }

  function endTurn(): void {
    const next = waiting.shift()
    if (next === undefined) active -= 1
    else next.start()
  }

  return {
    /** Throws `HookUnavailable` where there is no answer within the time-out. */
    async post(url: URL, message: unknown): Promise<HookAnswer> {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), options.timeoutMs)
      try {
        if (!(await turn(late.signal))) throw new HookUnavailable('too many questions are waiting')
        try {
          return await send(url, Buffer.from(JSON.stringify(message)), late.signal, true)
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
