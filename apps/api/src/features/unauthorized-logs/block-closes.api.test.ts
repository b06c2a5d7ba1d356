import { until } from '@batti/kit/testing'
import { createConnection } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { productPassword, startProduct, type Person, type TestProduct } from '../../testing/product.ts'

let product: TestProduct
let admin: Person
beforeAll(async () => {
  product = await startProduct({ TRUST_PROXY: 'loopback' })
  admin = await product.person('admin')
})
afterAll(() => product.stop())

/** As from another address: the proxy in front of the server is trusted. */
const from = (ip: string, path: string, as?: Person) =>
  fetch(`${product.url}/api/v1${path}`, {
    headers: { 'x-forwarded-for': ip, ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }) }
  })
async function logInFrom(ip: string, { email }: Person): Promise<void> {
  const answer = await fetch(`${product.url}/api/v1/user/login`, {
    method: 'POST',
    headers: { 'x-forwarded-for': ip, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: productPassword })
  })
  expect(answer.status).toBe(200)
}
interface Row {
  _id: string
  ip: string
  blocked: boolean
}
async function rowOf(ip: string): Promise<Row> {
  expect((await from(ip, '/user/account')).status).toBe(401)
  return until('the refusal is in the log', async () => {
    const { body } = await product.call('GET', `/unauthorized-logs?search=${ip}`, { as: admin })
    return (body.data as { logs: Row[] }).logs[0]
  })
}
const block = (id: string, body: object) => product.call('PATCH', `/unauthorized-logs/${id}`, { as: admin, body })

test('a block ends calls and sockets of that address at once, and of no other', async () => {
  const ip = '203.0.113.20'
  const sita = await product.person()
  const row = await rowOf(ip)
  const screenFrom = async (address: string) => {
    const screen = await product.screen(sita, { headers: { 'x-forwarded-for': address } })
    return screen.socket
  }
  const [theirs, others] = [await screenFrom(ip), await screenFrom('203.0.113.21')]
  expect((await from(ip, '/user/account', sita)).status).toBe(200)
  const closed = new Promise((done) => theirs.once('disconnect', done))
  expect((await block(row._id, { blocked: true })).status).toBe(200)
  await closed
  expect(others.connected).toBe(true)
  expect((await from(ip, '/user/account', sita)).status).toBe(403)
  await expect(screenFrom(ip)).rejects.toThrow()
  expect((await from('203.0.113.21', '/user/account', sita)).status).toBe(200)
  expect((await block(row._id, { blocked: false })).status).toBe(200)
  expect((await screenFrom(ip)).connected).toBe(true)
})

test('the effect of a block is shown before, refusals are counted by the hour, and an admin is never locked out', async () => {
  const ip = '203.0.113.40'
  const sita = await product.person()
  await logInFrom(ip, sita)
  const { _id } = await rowOf(ip)
  await until('the impact names the person', async () => {
    const { body } = await product.call('GET', `/unauthorized-logs/${_id}/impact`, { as: admin })
    const { users, sample } = body.data as { users: number; sample: { _id: string }[] }
    return users === 1 && sample[0]?._id === sita.id
  })
  const { body } = await product.call('GET', '/unauthorized-logs', { as: admin })
  const { byHour } = body.data as { byHour: { at: string; count: number }[] }
  expect(byHour).toHaveLength(24)
  // A new hour may have begun.
  expect(byHour.slice(-2).some(({ count }) => count > 0)).toBe(true)
  await logInFrom(ip, admin)
  expect((await block(_id, { blocked: true })).status).toBe(409)
})

// Boards of a test run on this machine, which nobody can block; the row of another instance in the database counts.
test('a block closes the connections of boards at that address, and accepts none while it lasts', async ({
  onTestFinished
}) => {
  const own = await startProduct({ CLUSTER_ADAPTER: 'mongo' })
  onTestFinished(() => own.stop())
  const sita = await own.person()
  const board = await own.board(sita)
  const database = await createConnection(own.settings['MONGODB_URI'] ?? '').asPromise()
  onTestFinished(() => database.close())
  const blocks = database.collection<{ _id: string }>('blocked_addresses')
  await blocks.insertOne({ _id: '127.0.0.1', by: sita.id, at: new Date(), until: null } as { _id: string })
  await board.ended
  await expect(own.connect(board.credentials)).rejects.toThrow()
  await blocks.deleteOne({ _id: '127.0.0.1' })
  await until('the board connects again', () =>
    own.connect(board.credentials).then(
      (again) => again.isConnected(),
      () => false
    )
  )
})
