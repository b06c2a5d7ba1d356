import { createFakeClock } from '@batti/kit/testing'
import type { Connection } from 'mongoose'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectTestDatabase } from '../../../testing/test-database.ts'
import { createServerKeys } from '../../../platform/store/server-keys.ts'
import { createCodeModel, type CodeModel } from './code.model.ts'
import { createCodes, type CodeRequest } from './codes.ts'

let connection: Connection
let model: CodeModel
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  model = createCodeModel(connection)
  await model.createIndexes()
  return database.close
})

let accounts = 0
/** Codes on a clock of their own, and a request of a new account. */
function setUp(changes: Partial<CodeRequest> = {}) {
  const clock = createFakeClock()
  const userId = `user ${++accounts}`
  const request: CodeRequest = { purpose: 'reset', subject: `user:${userId}`, userId, target: 'a@home.np', ...changes }
  return { clock, userId, request, codes: createCodes({ model, keys: createServerKeys('k'.repeat(32)), clock }) }
}
const refused = { code: 'CODE_INVALID' }
const another = (code: string): string => (code === '000000' ? '000001' : '000000')

describe('a code', () => {
  it('is six digits, for one subject and purpose, and is spent once', async () => {
    const { codes, request, userId } = setUp()
    const { code, token } = await codes.issue(request)
    expect(code).toMatch(/^\d{6}$/)
    for (const wrong of [
      { ...request, purpose: 'invitation' as const },
      { ...request, subject: 'user:another' }
    ])
      await expect(codes.spendCode(wrong, code)).rejects.toMatchObject(refused)
    await expect(codes.spendCode(request, another(code))).rejects.toMatchObject(refused)
    expect(await codes.spendCode(request, code)).toEqual({
      purpose: 'reset',
      userId,
      target: 'a@home.np',
      linkHash: expect.any(String)
    })
    await expect(codes.spendCode(request, code)).rejects.toMatchObject(refused)
    await expect(codes.checkCode(request, code)).rejects.toMatchObject(refused)
    await expect(codes.spendLink(['reset'], token)).rejects.toMatchObject(refused)
  })

  it('has five tries, checks among them, however many come at once', async () => {
    const { codes, request } = setUp()
    const { code } = await codes.issue(request)
    for (let tried = 0; tried < 4; tried += 1)
      await expect(codes.checkCode(request, another(code))).rejects.toMatchObject(refused)
    const last = await Promise.allSettled([1, 2, 3].map(() => codes.checkCode(request, code)))
    expect(last.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('lives ten minutes, or as long as was asked', async () => {
    for (const [lifetimeMs, changes] of [
      [600_000, {}],
      [3_600_000, { lifetimeMs: 3_600_000 }]
    ] as const) {
      const { codes, request, clock } = setUp(changes)
      const { code, token } = await codes.issue(request)
      clock.advance(lifetimeMs - 1)
      const checked = [await codes.checkCode(request, code), await codes.checkLink(['reset'], token)]
      expect(checked[0]).toEqual(checked[1])
      clock.advance(1)
      await expect(codes.checkCode(request, code)).rejects.toMatchObject(refused)
      await expect(codes.checkLink(['reset'], token)).rejects.toMatchObject(refused)
      await expect(codes.spendLink(['reset'], token)).rejects.toMatchObject(refused)
    }
  })

  it('of an unknown address is refused like a wrong one', async () => {
    const { codes, request } = setUp({ userId: null })
    const { code, token } = await codes.issue(request)
    await expect(codes.spendCode(request, code)).rejects.toMatchObject(refused)
    await expect(codes.spendLink(['reset'], token)).rejects.toMatchObject(refused)
    await expect(codes.checkLink(['reset'], token)).rejects.toMatchObject(refused)
  })

  it('that was checked is spent once, and not when it was replaced meanwhile', async () => {
    const { codes, request, clock } = setUp()
    const first = await codes.issue(request)
    const checked = await codes.checkCode(request, first.code)
    await codes.spend(checked)
    await expect(codes.spend(checked)).rejects.toMatchObject(refused)
    const second = await codes.issue(request)
    const replaced = await codes.checkLink(['reset'], second.token)
    clock.advance(60_000)
    await codes.issue(request)
    await expect(codes.spend(replaced)).rejects.toMatchObject(refused)
  })

  it('replaces the one before, with five tries of its own', async () => {
    const { codes, request, clock } = setUp()
    const first = await codes.issue(request)
    for (let tried = 0; tried < 5; tried += 1)
      await expect(codes.checkCode(request, another(first.code))).rejects.toMatchObject(refused)
    clock.advance(60_000)
    const second = await codes.issue({ ...request, target: 'b@home.np' })
    await expect(codes.spendLink(['reset'], first.token)).rejects.toMatchObject(refused)
    expect(await codes.spendCode(request, second.code)).toMatchObject({ target: 'b@home.np' })
  })
})

describe('another code', () => {
  it('is to be had after a minute, and until then says how long that is', async () => {
    const { codes, request, clock } = setUp()
    await codes.assertMayIssue(request)
    await codes.issue(request)
    for (const [afterMs, wait] of [
      [20_000, '40 seconds'],
      [39_999, '1 second']
    ] as const) {
      clock.advance(afterMs)
      const tooSoon = { code: 'TOO_MANY_REQUESTS', message: `Please try again after ${wait}.` }
      await expect(codes.issue(request)).rejects.toMatchObject(tooSoon)
      await expect(codes.assertMayIssue(request)).rejects.toMatchObject(tooSoon)
    }
    await codes.assertMayIssue({ ...request, purpose: 'invitation' })
    clock.advance(1)
    await codes.assertMayIssue(request)
    await codes.issue(request)
  })

  it('is to be had at once when the one before was used or could not be sent, or is of a clock that was ahead', async () => {
    const { codes, request, clock } = setUp()
    const { code } = await codes.issue(request)
    await codes.spendCode(request, code)
    await codes.assertMayIssue(request)
    await codes.issue(request)
    await codes.cancel(request)
    await codes.assertMayIssue(request)
    await codes.issue(request)
    clock.step(-60_001)
    await codes.assertMayIssue(request)
    expect(await codes.issue(request)).toMatchObject({ code: expect.any(String) })
  })
})

describe('a link', () => {
  it('is for its purposes, and is spent once', async () => {
    const { codes, request, userId } = setUp()
    const { code, token } = await codes.issue(request)
    await expect(codes.spendLink(['invitation', 'undo'], token)).rejects.toMatchObject(refused)
    await expect(codes.checkLink(['invitation', 'undo'], token)).rejects.toMatchObject(refused)
    await expect(codes.spendLink(['reset'], `${token}x`)).rejects.toMatchObject(refused)
    expect(await codes.spendLink(['invitation', 'reset'], token)).toMatchObject({ userId, purpose: 'reset' })
    await expect(codes.spendLink(['reset'], token)).rejects.toMatchObject(refused)
    await expect(codes.checkLink(['reset'], token)).rejects.toMatchObject(refused)
    await expect(codes.spendCode(request, code)).rejects.toMatchObject(refused)
  })
})

describe('the codes of an account', () => {
  it('end for the purposes that are named, and for no other account', async () => {
    const { codes, request, userId } = setUp()
    const other = setUp()
    const ended = await codes.issue(request)
    const invited = await codes.issue({ ...request, purpose: 'invitation' })
    const ofOther = await codes.issue(other.request)
    await codes.endAllOf(userId, ['reset', 'undo'])
    await expect(codes.spendCode(request, ended.code)).rejects.toMatchObject(refused)
    await codes.checkLink(['invitation'], invited.token)
    await codes.checkLink(['reset'], ofOther.token)
    await codes.forgetAllOf(userId)
    expect(await model.countDocuments({ userId })).toBe(0)
    await codes.checkLink(['reset'], ofOther.token)
  })
})
