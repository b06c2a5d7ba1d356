import { mqttAuthRequest, type MqttAuthBatchAnswer } from '@batti/contracts'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAuthHook, type AskHook } from './auth-hook.ts'
import { HookUnavailable, type HookAnswer } from './hook-client.ts'

const url = new URL('http://api.test/one')
const batchUrl = new URL('http://api.test/many')
const gatherMs = 5

/** The client ids of every request that was sent, by the path it took. */
let sent: { path: string; clients: string[] }[]
let answers: (clients: string[]) => MqttAuthBatchAnswer
let status: number
let ask: AskHook

const allowAll = (clients: string[]): MqttAuthBatchAnswer => clients.map(() => ({ result: 'allow' }))

async function post(target: URL, question: unknown): Promise<HookAnswer> {
  const isBatch = target.href === batchUrl.href
  const clients = isBatch
    ? z
        .array(mqttAuthRequest)
        .parse(question)
        .map(({ clientid }) => clientid)
    : [mqttAuthRequest.parse(question).clientid]
  sent.push({ path: target.pathname, clients })
  const answer = answers(clients)
  return { status, body: JSON.stringify(isBatch ? answer : answer[0]) }
}

beforeEach(() => {
  sent = []
  answers = allowAll
  status = 200
  ask = createAuthHook({ hook: { post }, url, batchUrl, gatherMs })
})

describe('questions about those who connect', () => {
  it('the first leaves at once, those that come soon after it travel together', async () => {
    await ask({ clientid: 'first' })
    await Promise.all(['a', 'b', 'c'].map((clientid) => ask({ clientid })))
    await pause(gatherMs * 2)
    await ask({ clientid: 'later' })
    expect(sent).toEqual([
      { path: '/many', clients: ['first'] },
      { path: '/many', clients: ['a', 'b', 'c'] },
      { path: '/many', clients: ['later'] }
    ])
  })

  it('each gets its own answer', async () => {
    answers = (clients) => clients.map((client) => ({ result: client === 'good' ? 'allow' : 'deny' }))
    const results = await Promise.all(['bad', 'good', 'bad'].map((clientid) => ask({ clientid })))
    expect(results.map(({ result }) => result)).toEqual(['deny', 'allow', 'deny'])
  })

  it('one that the api could not check, or left out, is unavailable, and no other', async () => {
    answers = () => [{ result: 'allow' }, { result: 'ignore' }]
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((clientid) => ask({ clientid })))
    expect(outcomes[0]).toMatchObject({ value: { result: 'allow' } })
    for (const outcome of outcomes.slice(1)) expect(outcome).toMatchObject({ reason: expect.any(HookUnavailable) })
  })

  it('a refused batch is one failure, the same for all in it', async () => {
    status = 500
    const outcomes = await Promise.allSettled(['a', 'b'].map((clientid) => ask({ clientid })))
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as unknown) : null))
    expect(reasons[0]).toBeInstanceOf(HookUnavailable)
    expect(reasons[1]).toBe(reasons[0])
  })

  it('a long one travels alone: it must not burden others', async () => {
    await Promise.all([ask({ clientid: 'a', password: 'x'.repeat(600) }), ask({ clientid: 'b' })])
    expect(sent).toContainEqual({ path: '/one', clients: ['a'] })
    expect(sent).toContainEqual({ path: '/many', clients: ['b'] })
  })

  it('an api that knows no batches is asked one by one', async () => {
    const single = createAuthHook({ hook: { post }, url, batchUrl: null, gatherMs })
    await Promise.all(['a', 'b'].map((clientid) => single({ clientid })))
    expect(sent).toEqual([
      { path: '/one', clients: ['a'] },
      { path: '/one', clients: ['b'] }
    ])
  })
})
