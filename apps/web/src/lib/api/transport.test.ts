import { ApiError, CancelledError } from '@batti/client/api-error'
import { networkError, type HttpAnswer, type HttpRequest } from '@batti/client/transport'
import { idempotencyHeader, repeatHeader } from '@batti/contracts'
import { expect, test } from 'vitest'
import { askAgain, noticeUnsent } from './transport.ts'

const request: HttpRequest = { method: 'post', url: '/api', headers: {}, body: null }

test.each([
  ['without a network never left', [false, false], networkError(null), 'UNSENT'],
  ['while the network returned may have left', [false, true], networkError(null), 'NETWORK'],
  ['whose network went may have arrived', [true, false], networkError(null), 'NETWORK'],
  ['with a network may have arrived', [true, true], networkError(null), 'NETWORK'],
  ['that was answered was sent', [false, false], new ApiError('CONFLICT', 'Busy.', { status: 409 }), 'CONFLICT']
])('a request that failed %s', async (_, network, fault, code) => {
  const transport = noticeUnsent(
    () => Promise.reject(fault),
    () => network.shift() ?? false
  )
  await expect(transport(request)).rejects.toMatchObject({ code, message: fault.message })
})

/** Sends a change whose first answer is lost; returns its outcome, and how often it was sent. */
async function send(parts: Partial<HttpRequest>, fault: Error, second: () => Promise<HttpAnswer>) {
  let sent = 0
  const transport = askAgain(() => (++sent === 1 ? Promise.reject(fault) : second()))
  const outcome: unknown = await transport({ ...request, ...parts }).catch((error: unknown) => error)
  return { outcome, sent }
}
const lost = networkError(null)
const answered = { status: 200, text: '{}', retryAfter: null }
const refused = { ...answered, status: 401 }

test.each(['patch', 'put', 'delete', 'post'])(
  'a %s whose answer was lost is sent again, and gets the second answer',
  async (method) => {
    expect(await send({ method }, lost, async () => answered)).toEqual({ outcome: answered, sent: 2 })
  }
)

test.each([
  ['a read, which its page repeats', { method: 'get' }, lost],
  ['an upload', { method: 'patch', onUploadProgress: () => {} }, lost],
  ['a change that was given up', { method: 'patch' }, new CancelledError()]
])('%s is not sent again', async (_, parts, fault) => {
  expect(await send(parts, fault, async () => answered)).toEqual({ outcome: fault, sent: 1 })
})

test('a change stays lost if its second answer is lost too, or is that its session has ended', async () => {
  const method = 'patch'
  const other = networkError('again')
  expect(await send({ method }, lost, () => Promise.reject(other))).toEqual({ outcome: other, sent: 2 })
  expect(await send({ method }, lost, async () => refused)).toEqual({ outcome: lost, sent: 2 })
})

test.each([502, 503, 504])(
  'a creation stays lost if its second answer is %i: the server does not know it',
  async (status) => {
    const outcome = await send({ method: 'post' }, lost, async () => ({ ...answered, status }))
    expect(outcome).toEqual({ outcome: lost, sent: 2 })
  }
)

test('the second request says that it is one, under the name of the first', async () => {
  const sent: HttpRequest['headers'][] = []
  const transport = askAgain(async ({ headers }) => {
    if (sent.push(headers) === 1) throw lost
    return answered
  })
  await transport({ ...request, headers: { [idempotencyHeader]: 'a' } })
  expect(sent).toEqual([{ [idempotencyHeader]: 'a' }, { [idempotencyHeader]: 'a', [repeatHeader]: '1' }])
})
