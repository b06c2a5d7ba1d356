import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { afterAll, beforeAll, expect, it } from 'vitest'

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(async () => {
  await product?.stop()
})

it('the example of the client package toggles a switch of the demo home and hears its board', async () => {
  const { email, password } = accountOf(product, 'user')
  const example = join(import.meta.dirname, '../../packages/client/examples/toggle.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [example, product.web, email, password])
  expect(stdout).toMatch(/^reported by the board, caused by Sita Sharma$/m)
  expect(stdout).toMatch(/ was off, and is on$| was on, and is off$/m)
})
