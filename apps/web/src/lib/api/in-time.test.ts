import { CancelledError } from '@batti/client/api-error'
import type { HttpAnswer, HttpRequest } from '@batti/client/transport'
import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { inTime } from './in-time.ts'

const answer: HttpAnswer = { status: 200, text: '{}', retryAfter: null }
const read: HttpRequest = { method: 'get', url: '/rooms', headers: { accept: 'application/json' }, body: null }
const afterAnHour = 3_600_000

/** Sends a request to a server that answers when the test says so; the line breaks when the request is given up. */
function send(request: HttpRequest) {
  const clock = createFakeClock()
  const server = Promise.withResolvers<HttpAnswer>()
  let begin = () => {}
  const transport = inTime(({ signal, onAnswer = () => {} }) => {
    begin = onAnswer
    const giveUp = () => server.reject(new CancelledError())
    if (signal?.aborted === true) giveUp()
    signal?.addEventListener('abort', giveUp)
    return server.promise
  }, clock)
  const outcome = transport(request).catch((error: unknown) => error)
  const isGivenUp = server.promise.then(
    () => false,
    () => true
  )
  return { clock, outcome, isGivenUp, begin: () => begin(), finish: () => server.resolve(answer) }
}

test.each([
  ['a read', read, 10_000],
  ['a change', { ...read, method: 'patch', body: '{}' }, 30_000]
])('%s without an answer is late, and given up, at its limit and not before', async (_what, request, limitMs) => {
  const quick = send(request)
  quick.clock.advance(limitMs - 1)
  quick.finish()
  expect(await quick.outcome).toBe(answer)
  const slow = send(request)
  slow.clock.advance(limitMs)
  expect(await slow.outcome).toMatchObject({ code: 'LATE' })
  expect(await slow.isGivenUp).toBe(true)
})

test('an answer that has begun may take its time', async () => {
  const { clock, outcome, begin, finish } = send(read)
  begin()
  clock.advance(afterAnHour)
  finish()
  expect(await outcome).toBe(answer)
})

test.each([
  ['an export', { ...read, headers: { accept: 'text/csv' } }],
  ['an upload', { ...read, method: 'post', body: new FormData() }]
])('%s has no limit', async (_what, request) => {
  const { clock, outcome, finish } = send(request)
  clock.advance(afterAnHour)
  finish()
  expect(await outcome).toBe(answer)
})

test.each(['before', 'after'])('a request that its page gives up %s it was sent is given up', async (when) => {
  const page = new AbortController()
  if (when === 'before') page.abort()
  const { outcome, isGivenUp } = send({ ...read, signal: page.signal })
  page.abort()
  expect(await outcome).toBeInstanceOf(CancelledError)
  expect(await isGivenUp).toBe(true)
})
