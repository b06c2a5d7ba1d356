import { mqttAuthRequest, type MqttAuthBatchAnswer } from '@batti/contracts'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createAuthHook, type AskHook } from './auth-hook.ts'
import { HookUnavailable, type HookAnswer } from './hook-client.ts'

const url = new URL('http://api.test/one')
const batchUrl = new URL('http://api.test/many')
const gatherMs = 5

/** The client ids of each request, with its path. */
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
  ask = createAuthHook({ hook: { post }, urls: [url], batchUrls: [batchUrl], gatherMs })
})

describe('questions to the hook about connecting clients', () => {
  it('are sent at once if first; those soon after it are sent together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    await ask({ clientid: 'first' })
    const together: Promise<unknown>[] = []
    for (const clientid of ['a', 'b', 'c']) {
      await vi.advanceTimersByTimeAsync(1)
      together.push(ask({ clientid }))
    }
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(gatherMs)
    await Promise.all(together)
    await vi.advanceTimersByTimeAsync(gatherMs)
    await ask({ clientid: 'later' })
    expect(sent).toEqual([
      { path: '/many', clients: ['first'] },
      { path: '/many', clients: ['a', 'b', 'c'] },
      { path: '/many', clients: ['later'] }
    ])
  })

  it('get their own answers', async () => {
    answers = (clients) => clients.map((client) => ({ result: client === 'good' ? 'allow' : 'deny' }))
    const results = await Promise.all(['bad', 'good', 'bad'].map((clientid) => ask({ clientid })))
    expect(results.map(({ result }) => result)).toEqual(['deny', 'allow', 'deny'])
  })

  it('are asked anew each time: a client may have been revoked meanwhile', async () => {
    const request = { clientid: 'a' }
    expect((await ask(request)).result).toBe('allow')
    answers = () => [{ result: 'deny' }]
    expect((await ask(request)).result).toBe('deny')
  })

  it('that the api could not check, or omitted, are unavailable, and no others', async () => {
    answers = () => [{ result: 'allow' }, { result: 'ignore' }]
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((clientid) => ask({ clientid })))
    expect(outcomes[0]).toMatchObject({ value: { result: 'allow' } })
    for (const outcome of outcomes.slice(1)) expect(outcome).toMatchObject({ reason: expect.any(HookUnavailable) })
  })

  it('in a refused batch count as one failure, the same for all in it', async () => {
    status = 500
    const outcomes = await Promise.allSettled(['a', 'b'].map((clientid) => ask({ clientid })))
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as unknown) : null))
    expect(reasons[0]).toBeInstanceOf(HookUnavailable)
    expect(reasons[1]).toBe(reasons[0])
  })

  it.each([
    ['client id', { clientid: 'x'.repeat(513) }],
    ['username', { clientid: 'a', username: 'x'.repeat(512) }],
    ['password', { clientid: 'a', password: 'x'.repeat(512) }]
  ])('with a long %s are sent alone, so as not to burden others', async (_what, long) => {
    await Promise.all([ask(long), ask({ clientid: 'b', password: 'x'.repeat(511) })])
    expect(sent).toContainEqual({ path: '/one', clients: [long.clientid] })
    expect(sent).toContainEqual({ path: '/many', clients: ['b'] })
  })

  it('go to the api that answered last, and to the others while it does not answer', async () => {
    const asked: string[] = []
    const down = new Set<string>()
    const urls = ['http://first.test/', 'http://second.test/'].map((address) => new URL(address))
    const several = createAuthHook({
      hook: {
        async post({ hostname }) {
          asked.push(hostname)
          return { status: down.has(hostname) ? 503 : 200, body: '{"result":"allow"}' }
        }
      },
      urls,
      batchUrls: [],
      gatherMs
    })
    const connect = async () => (await several({ clientid: 'a' })).result
    expect(await connect()).toBe('allow')
    down.add('first.test')
    for (let times = 0; times < 2; times += 1) expect(await connect()).toBe('allow')
    expect(asked.splice(0)).toEqual(['first.test', 'first.test', 'second.test', 'second.test'])
    down.add('second.test')
    await expect(connect()).rejects.toBeInstanceOf(HookUnavailable)
    expect(asked).toEqual(['second.test', 'first.test'])
  })

  it('are sent one by one to an api without batches', async () => {
    const single = createAuthHook({ hook: { post }, urls: [url], batchUrls: [], gatherMs })
    await Promise.all(['a', 'b'].map((clientid) => single({ clientid })))
    expect(sent).toEqual([
      { path: '/one', clients: ['a'] },
      { path: '/one', clients: ['b'] }
    ])
  })
})
