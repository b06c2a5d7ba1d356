import {
  mqttAuthAnswer,
  mqttAuthBatchAnswer,
  mqttAuthBatchMax,
  type MqttAuthAnswer,
  type MqttAuthRequest
} from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import DataLoader from 'dataloader'
import type { z } from 'zod'
import { HookUnavailable, type HookClient } from './hook-client.ts'
import { createInTurn } from './in-turn.ts'

/** Rejects with `HookUnavailable` when there is no answer or an unreadable one. */
export type AskHook = (request: MqttAuthRequest) => Promise<MqttAuthAnswer>

export interface AuthHookOptions {
  readonly hook: Pick<HookClient, 'post'>
  /** Of each api: takes one request in the format of EMQX. */
  readonly urls: readonly URL[]
  /** Take a batch of requests; none when the apis have no batch endpoint. */
  readonly batchUrls: readonly URL[]
  /** How long requests are gathered into a batch. The first one after a pause of that length is sent at once. */
  readonly gatherMs: number
}

/** Honest clients send far less. A longer request is sent alone, so that it cannot make a batch slow or too large. */
const maxGatheredLength = 512

/** Asks the api to authenticate clients. A request costs three system calls on each side, so a reconnect storm is batched. */
export function createAuthHook({ hook, urls, batchUrls, gatherMs }: AuthHookOptions): AskHook {
  async function ask<Answer>(target: URL, question: unknown, schema: z.ZodType<Answer>): Promise<Answer> {
    const { status, body } = await hook.post(target, question)
    if (status !== 200) throw new HookUnavailable(`status ${status}`)
    const parsed = schema.safeParse(parseJson(body))
    if (!parsed.success) throw new HookUnavailable('unreadable answer')
    return parsed.data
  }

  const [ofOne, ofMany] = [createInTurn(urls), createInTurn(batchUrls)]
  const askAlone: AskHook = (request) => ofOne((url) => ask(url, request, mqttAuthAnswer))
  if (batchUrls.length === 0) return askAlone

  const questions = new DataLoader<MqttAuthRequest, MqttAuthAnswer>(
    async (requests) => {
      const answers = await ofMany((url) => ask(url, requests, mqttAuthBatchAnswer))
      return requests.map((_, index) => {
        const answer = answers[index]
        return answer === undefined || answer.result === 'ignore'
          ? new HookUnavailable('the api could not check it')
          : answer
      })
    },
    { cache: false, maxBatchSize: mqttAuthBatchMax, batchScheduleFn: atIntervals(gatherMs) }
  )
  return (request) => {
    const { clientid, username = '', password = '' } = request
    const isShort = clientid.length + username.length + password.length <= maxGatheredLength
    return isShort ? questions.load(request) : askAlone(request)
  }
}

/** Returns a scheduler that runs a function at once, but waits until `ms` have passed since the run before it. */
function atIntervals(ms: number): (run: () => void) => void {
  let last = Number.NEGATIVE_INFINITY
  return (run) => {
    const now = performance.now()
    last = Math.max(now, last + ms)
    if (last === now) setImmediate(run)
    else setTimeout(run, last - now)
  }
}
