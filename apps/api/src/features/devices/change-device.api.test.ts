import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let sita: Actor
let admin: Actor

beforeAll(async () => {
  app = await startApi()
  ;[sita, admin] = [app.person(), app.person('admin')]
})
afterAll(() => app.stop())

describe('the first server address of a board that is away', () => {
  test.each([
    ['at once', [{ serverUrl: '10.0.0.6', serverPort: 8000 }]],
    ['one half after the other', [{ serverUrl: '10.0.0.6' }, { serverPort: 8000 }]]
  ])('reaches it when it is back, set %s', async (_how, bodies) => {
    const { id, board } = await app.device(sita, { isOnline: false })
    for (const body of bodies) {
      expect(await app.call('PATCH', `/devices/${id}`, admin, body)).toMatchObject({ statusCode: 200, data: body })
    }
    board.connect()
    await expect.poll(() => board.configs).toMatchObject([{ rev: 1, api: { host: '10.0.0.6', port: 8000 } }])
  })
})
