import { deviceAuthPath, apiBasePath, deviceClaim } from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import type { Board } from './board.ts'
import { sendHttp } from './http-client.ts'
import { readText } from './stream-bytes.ts'

export type OwnerAccount = { api: URL; email: string; password: string }

/** Gives a board a setup form in its owner's name, as the web page would. */
export type Owner = { setUp(board: Board): Promise<void> }

const loginAnswer = z.object({ data: z.object({ accessToken: z.string() }) })
const claimAnswer = z.object({ data: deviceClaim })
const errorAnswer = z.object({ message: z.string() })

const answerMaxBytes = 256 * 1024

/** Logs in, through the real API; throws a sentence when the API does not let this account in. */
export async function logIn({ api, email, password }: OwnerAccount): Promise<Owner> {
  const renew = async (): Promise<string> => {
    const answer = await post(new URL(`${apiBasePath}/user/login`, api), { email, password }, null)
    return loginAnswer.parse(answer.body).data.accessToken
  }
  let token = await renew()

  async function claim(): Promise<string> {
    const url = new URL(`${apiBasePath}/device-claims`, api)
    try {
      return claimAnswer.parse((await post(url, {}, token)).body).data.userId
    } catch (error) {
      // A token lasts fifteen minutes; a large fleet takes longer.
      if (!(error instanceof RefusedError) || error.status !== 401) throw error
      token = await renew()
      return claimAnswer.parse((await post(url, {}, token)).body).data.userId
    }
  }

  return {
    async setUp(board) {
      const accepted = board.configure({
        ssid: 'Simulated',
        password: 'simulated',
        userId: await claim(),
        serverUrl: `${api.protocol}//${api.hostname}`,
        serverPort: Number(api.port || (api.protocol === 'https:' ? 443 : 80)),
        otherUrl: deviceAuthPath,
        mqttServerUrl: api.hostname,
        mqttServerPort: 8883
      })
      if (!accepted) throw new Error(`${board.mac} is not in setup mode`)
    }
  }
}

class RefusedError extends Error {
  readonly status: number
  readonly waitMs: number
  constructor(message: string, status: number, waitMs: number) {
    super(message)
    this.status = status
    this.waitMs = waitMs
  }
}

async function post(url: URL, body: object, token: string | null): Promise<{ body: unknown }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await postOnce(url, body, token)
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 429 || attempt > 5) throw error
      await new Promise((resolve) => setTimeout(resolve, error.waitMs))
    }
  }
}

async function postOnce(url: URL, body: object, token: string | null): Promise<{ body: unknown }> {
  const answer = await sendHttp({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    timeoutMs: 20_000
  })
  const text = (await readText(answer, answerMaxBytes)) ?? ''
  const status = answer.statusCode ?? 0
  if (status >= 200 && status < 300) return { body: parseJson(text) }
  const waitMs = Math.min(Math.max(Number(answer.headers['retry-after']) || 1, 1), 60) * 1000
  throw new RefusedError(`${url.href} answered ${status}: ${messageOf(text)}`, status, waitMs)
}

const messageOf = (text: string): string => errorAnswer.safeParse(parseJson(text)).data?.message ?? 'no message'

/** Sets up every board that waits for it, a few at a time. A board that could not be is told, and the rest go on. */
export async function setUpAll(
  boards: readonly Board[],
  owner: Owner,
  parts: { atOnce: number; timeoutMs: number; failed(board: Board, why: string): void }
): Promise<void> {
  const waiting = [...boards]
  const worker = async (): Promise<void> => {
    for (let board = waiting.shift(); board !== undefined; board = waiting.shift()) {
      try {
        await owner.setUp(board)
        await board.whenOnline(parts.timeoutMs)
      } catch (error) {
        parts.failed(board, error instanceof Error ? error.message : String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: parts.atOnce }, worker))
}
