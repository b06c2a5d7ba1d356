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

/** Rejects with `HookUnavailable` where there is no answer, or none that can be read. */
export type AskHook = (request: MqttAuthRequest) => Promise<MqttAuthAnswer>

export interface AuthHookOptions {
  readonly hook: Pick<HookClient, 'post'>
  /** Takes one question, as EMQX asks it. */
  readonly url: URL
  /** Takes many at once; null for an api that knows only one. */
  readonly batchUrl: URL | null
  /** How long questions are gathered. The first after a pause of that length leaves at once. */
  readonly gatherMs: number
}

/** What an honest client sends is far shorter; who sends more is asked about alone, so that it burdens no other question. */
const maxGatheredLength = 512

/** Asks the api who connects. One question is three system calls on each side: in a storm of boards they travel together. */
export function createAuthHook({ hook, url, batchUrl, gatherMs }: AuthHookOptions): AskHook {
  async function ask<Answer>(target: URL, question: unknown, schema: z.ZodType<Answer>): Promise<Answer> {
    const { status, body } = await hook.post(target, question)
    if (status !== 200) throw new HookUnavailable(`status ${status}`)
    const parsed = schema.safeParse(parseJson(body))
    if (!parsed.success) throw new HookUnavailable('unreadable answer')
    return parsed.data
  }

  const askAlone: AskHook = (request) => ask(url, request, mqttAuthAnswer)
  if (batchUrl === null) return askAlone

  const questions = new DataLoader<MqttAuthRequest, MqttAuthAnswer>(
    async (requests) => {
      const answers = await ask(batchUrl, requests, mqttAuthBatchAnswer)
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

/** Runs what it is given at once, but never twice within `ms`. */
function atIntervals(ms: number): (run: () => void) => void {
  let last = Number.NEGATIVE_INFINITY
  return (run) => {
    const now = performance.now()
    last = Math.max(now, last + ms)
    if (last === now) setImmediate(run)
    else setTimeout(run, last - now)
  }
}
