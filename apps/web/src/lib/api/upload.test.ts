import { CancelledError } from '@batti/client/api-error'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { upload } from './upload.ts'

test('an upload that was cancelled before its code was loaded is not sent', async () => {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume()
    response.setHeader('access-control-allow-origin', '*').end()
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const sent = upload({
    method: 'post',
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    body: 'image',
    signal: AbortSignal.abort()
  })
  await expect(sent).rejects.toThrow(CancelledError)
  server.close()
  expect(requests).toBe(0)
})
