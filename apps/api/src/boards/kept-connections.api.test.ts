import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInstance, startProduct, type TestProduct } from '../testing/product.ts'
import { connectDatabase } from '../platform/store/database.ts'

let product: TestProduct
let connection: Awaited<ReturnType<typeof connectDatabase>>
beforeAll(async () => {
  product = await startProduct()
  connection = await connectDatabase(product.settings['MONGODB_URI'] ?? '')
})
afterAll(async () => {
  await connection.close()
  await product.stop()
})

const devices = () => connection.collection('devices')

// An api that was killed after it stored the end of a pairing, and before it asked the broker to close the connection.
test('the next start ends the connection of a board that has moved to another owner', async () => {
  const board = await product.board(await product.person())
  const moved = new Types.ObjectId(board.credentials.deviceId)
  await devices().updateOne({ _id: moved }, { $set: { credentialHash: null, pendingHash: null } })
  const { product: next } = await startInstance(product.settings)
  await board.ended
  expect(board.isConnected()).toBe(false)
  await next.stop()
})

test('the connection of a deleted board ends when it speaks', async () => {
  const board = await product.board(await product.person())
  await devices().deleteOne({ _id: new Types.ObjectId(board.credentials.deviceId) })
  const { product: next } = await startInstance(product.settings)
  expect(board.isConnected()).toBe(true)
  board.press(0)
  await board.ended
  expect(board.isConnected()).toBe(false)
  await next.stop()
})
