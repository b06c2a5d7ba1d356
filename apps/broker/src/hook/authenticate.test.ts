import type { Logger } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { createAuthHook } from './auth-hook.ts'
import { createAuthenticator, type Authenticate } from './authenticate.ts'
import { HookUnavailable, type HookAnswer } from './hook-client.ts'

describe('asking the hook', () => {
  let now = 1_000_000
  let calls = 0
  let logged: string[]
  let answer: () => HookAnswer
  let authenticate: Authenticate
  const ask = async () => (await authenticate({ clientid: 'dev-x' })).result

  const log = {
    warn: ({ reason }: { reason: string }) => void logged.push(reason),
    info: (text: string) => void logged.push(text)
  } as Pick<Logger, 'warn' | 'info'>

  beforeEach(() => {
    calls = 0
    logged = []
    const post = async () => {
      calls += 1
      return answer()
    }
    authenticate = createAuthenticator({
      ask: createAuthHook({ hook: { post }, urls: [new URL('http://api.test/')], batchUrls: [], gatherMs: 0 }),
      clock: { now: () => now, monotonic: () => now },
      log
    })
  })
  const says = (body: unknown, status = 200) => {
    answer = () => ({ status, body: JSON.stringify(body) })
  }
  const fails = () => {
    answer = () => {
      throw new HookUnavailable('down')
    }
  }

  it('passes on the rules and the expiry', async () => {
    const acl = [{ permission: 'allow', action: 'publish', topic: 'a' }]
    says({ result: 'allow', acl, expire_at: now / 1000 + 5 })
    expect(await authenticate({ clientid: 'dev-x' })).toEqual({ result: 'allow', rules: acl, expiresAt: now + 5000 })
    says({ result: 'allow' })
    expect(await authenticate({ clientid: 'dev-x' })).toEqual({ result: 'allow', rules: [], expiresAt: null })
  })

  it('treats a past expiry as a denial', async () => {
    says({ result: 'allow', expire_at: now / 1000 })
    expect(await ask()).toBe('deny')
  })

  it.each<[string, () => HookAnswer]>([
    ['a status that is not 200', () => ({ status: 500, body: '{"result":"allow"}' })],
    ['a body that is not JSON', () => ({ status: 200, body: '<html>' })],
    ['a result that nobody knows', () => ({ status: 200, body: '{"result":"maybe"}' })]
  ])('treats %s as no answer', async (_name, given) => {
    answer = given
    expect(await ask()).toBe('unavailable')
  })

  it('stops asking a failing hook, except once a second, trusts it again at its first answer, and logs both', async () => {
    fails()
    for (let index = 0; index < 100; index += 1) expect(await ask()).toBe('unavailable')
    expect(calls).toBe(5)
    now += 1000
    await Promise.all([ask(), ask(), ask()])
    expect(calls).toBe(6)
    says({ result: 'deny' })
    now += 1000
    expect([await ask(), await ask()]).toEqual(['deny', 'deny'])
    expect(logged).toEqual(['down', 'the api says again who may connect'])
    calls = 0
    fails()
    for (let index = 0; index < 100; index += 1) await ask()
    expect(calls).toBe(5)
    says({ result: 'deny' })
    now += 1000
    await ask()
    expect(logged.slice(2)).toEqual(['down', 'the api says again who may connect'])
  })

  it('counts questions that failed together as one failure', async () => {
    const down = new HookUnavailable('down')
    let asked = 0
    const together = createAuthenticator({
      ask: () => {
        asked += 1
        return Promise.reject(down)
      },
      clock: { now: () => now, monotonic: () => now },
      log
    })
    for (let index = 0; index < 20; index += 1) await together({ clientid: 'dev-x' })
    expect(asked).toBe(20)
  })

  it('does not count denials as failures', async () => {
    says({ result: 'deny' })
    for (let index = 0; index < 20; index += 1) await ask()
    expect([calls, logged]).toEqual([20, []])
  })
})
