import { close, listen } from '@batti/kit/node/listen'
import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchTransport } from './transport.ts'

test.each([
  ['delete', null, true],
  ['patch', '{"isActive":true}', true],
  ['post', 'x'.repeat(1001), false],
  ['get', null, false]
])('a small change is sent even if its page is reloaded meanwhile: %s', async (method, body, isKept) => {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end('done'))
  })
  const url = `http://127.0.0.1:${await listen(server)}/`
  onTestFinished(() => close(server))
  const sent = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => sent.mockRestore())
  expect(await fetchTransport({ method, url, headers: {}, body })).toMatchObject({ status: 200, text: 'done' })
  expect(sent.mock.lastCall?.[1]?.keepalive).toBe(isKept)
})
