import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Product } from '../compose.ts'
import { startInstance, startProduct, type Person, type TestProduct } from '../testing/product.ts'

let product: TestProduct
let second: { url: string; product: Product }
let sita: Person

beforeAll(async () => {
  product = await startProduct({ CLUSTER_ADAPTER: 'mongo', DRAIN_MS: '400' })
  second = await startInstance(product.settings)
  sita = await product.person()
})
afterAll(() => product.stop())

it('an instance that stops announces it, continues for a while, and ends only its own connections', async () => {
  const here = await Promise.all([1, 2, 3].map(() => product.screen(sita)))
  const there = await Promise.all([1, 2, 3].map(() => product.screen(sita, { url: second.url })))
  const reasons = there.map(({ socket }) => new Promise<string>((done) => socket.once('disconnect', done)))
  const drained = second.product.drain()

  const ready = await fetch(`${second.url}/readyz`)
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
  await expect(ready.json()).resolves.toMatchObject({ ok: false, stopping: true })
  const account = await fetch(`${second.url}/api/v1/user/account`, {
    headers: { authorization: `Bearer ${sita.token}` }
  })
  expect(account.status).toBe(200)
  for (const screen of there) expect((await screen.send('join-user-room', sita.id)).ok).toBe(true)

  await drained
  await second.product.stop()
  // A reason for which clients reconnect by themselves: they were not told to leave.
  await expect(Promise.all(reasons)).resolves.toEqual(there.map(() => 'transport close'))
  expect(here.map(({ socket }) => socket.connected)).toEqual([true, true, true])
  expect((await here[0]?.send('join-user-room', sita.id))?.ok).toBe(true)
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200)
})

it('an instance stops all of its parts, also if one of them fails', async () => {
  const third = await startInstance(product.settings)
  third.product.parts.features.push({ stop: () => Promise.reject(new Error('this part is stuck')) })
  await third.product.stop()
  await expect(fetch(`${third.url}/readyz`)).rejects.toThrow('fetch failed')
})
