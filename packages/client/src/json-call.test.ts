import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { callJson } from './json-call.ts'

const server = createServer()
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test('a call without an answer in time fails as late, not as cancelled', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const call = callJson(`http://127.0.0.1:${address.port}`, { timeoutMs: 1 })
  await expect(call).rejects.toMatchObject({ name: 'ApiError', code: 'LATE' })
})
