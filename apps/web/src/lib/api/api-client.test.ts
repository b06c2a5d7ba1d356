import { getDevice, listDevices, login, register, updateSwitch } from '@batti/contracts'
import { expect, test, vi } from 'vitest'
import { createApiClient, type Authority } from './api-client.ts'
import type { ServerWords } from '#web/lib/i18n/server-words.ts'
import { ApiError, errorMessage, fieldErrors } from './api-error.ts'
import type { HttpRequest } from '@batti/client/transport'

const id = 'dddddddddddddddddddddddd'
const emptyList = { devices: [], total: 0, page: 1, limit: 500, totalPages: 0 }
const good = (data: unknown) => ({ status: 200, body: { statusCode: 200, success: true, message: 'Done.', data } })
const refusal = (status: number, code: string, message: string, errors?: unknown) => ({
  status,
  body: { statusCode: status, success: false, message, code, requestId: 'r', errors }
})

/** A server that returns these answers in turn, and records the requests. */
function talk(
  answers: { status: number; body: unknown }[],
  authority: Partial<Authority> = {},
  words: ServerWords = (message) => message
) {
  const requests: HttpRequest[] = []
  const onForbidden = vi.fn<() => void>()
  const client = createApiClient({
    transport: async (request) => {
      requests.push(request)
      const answer = answers.shift() ?? good(null)
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      return { status: answer.status, text, retryAfter: '42' }
    },
    authority: { authorize: async () => 'T1', currentToken: () => null, rejected: async () => false, ...authority },
    onForbidden,
    words
  })
  return { client, requests, onForbidden }
}

test('fills in the path, the query and the token, and returns the parsed data', async () => {
  const { client, requests } = talk([good(emptyList)])
  const list = await client.call(listDevices, { query: { page: 2, search: '', status: 'online' } })
  expect(list.devices).toEqual([])
  expect(requests[0]).toMatchObject({ method: 'get', url: '/api/v1/devices?page=2&status=online', body: null })
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer T1' })
})

test('returns a list as CSV, and never a refusal as one', async () => {
  const { client, requests } = talk([
    { status: 200, body: 'name\nKitchen\n' },
    refusal(400, 'VALIDATION', 'sort: is not a column.')
  ])
  expect(await client.csv(listDevices)).toBe('name\nKitchen\n')
  expect(requests[0]?.headers).toMatchObject({ accept: 'text/csv' })
  await expect(client.csv(listDevices)).rejects.toThrow('sort: is not a column.')
})

test('sends JSON bodies, and encodes parameters', async () => {
  const { client, requests } = talk([refusal(404, 'NOT_FOUND', 'No such switch.')])
  await expect(client.call(updateSwitch, { params: { id: 'a/b' }, body: { isFavorite: true } })).rejects.toThrow(
    'No such switch.'
  )
  expect(requests[0]).toMatchObject({
    method: 'patch',
    url: '/api/v1/switches/by-id/a%2Fb',
    body: '{"isFavorite":true}'
  })
})

test('sends multipart with its file under the name of the route', async () => {
  const { client, requests } = talk([good({ registrationToken: 't' })])
  const body = {
    name: 'Sita',
    email: 's@example.com',
    phone: '9812345678',
    password: 'lamp-at-dusk',
    address: 'Lalitpur'
  }
  await client.call(register, { body, file: new File(['x'], 'me.png', { type: 'image/png' }) })
  const form = requests[0]?.body
  if (!(form instanceof FormData)) throw new Error('not a form')
  expect(form.get('name')).toBe('Sita')
  expect((form.get('profileImage') as File).name).toBe('me.png')
  expect(requests[0]?.headers).not.toHaveProperty('content-type')
})

test.each([null, 'T1'])('a public call has the token that there is, and its 401 ends nothing: %s', async (token) => {
  const rejected = vi.fn<Authority['rejected']>(async () => false)
  const wrong = refusal(401, 'UNAUTHENTICATED', 'Wrong email or password.')
  const { client, requests } = talk([wrong], { currentToken: () => token, rejected })
  await expect(client.call(login, { body: { email: 's@example.com', password: 'secret' } })).rejects.toThrow(
    'Wrong email'
  )
  expect(requests[0]?.headers['authorization']).toBe(token === null ? undefined : 'Bearer T1')
  expect(rejected).not.toHaveBeenCalled()
})

test('only a 401 rejects the token', async () => {
  const rejected = vi.fn<Authority['rejected']>(async () => false)
  const { client } = talk([good(emptyList), refusal(403, 'FORBIDDEN', 'Not for you.')], { rejected })
  await client.call(listDevices)
  await expect(client.call(listDevices)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(rejected).not.toHaveBeenCalled()
})

test('a 401 is retried once with another token, and a second one ends the session', async () => {
  const tokens = ['T1', 'T2']
  const rejected = vi.fn<Authority['rejected']>(async () => true)
  const denied = refusal(401, 'UNAUTHENTICATED', 'Please log in.')
  const { client, requests } = talk([denied, denied], { authorize: async () => tokens.shift() ?? null, rejected })
  await expect(client.call(listDevices)).rejects.toMatchObject({ status: 401 })
  expect(requests.map((request) => request.headers['authorization'])).toEqual(['Bearer T1', 'Bearer T2'])
  expect(rejected.mock.calls).toEqual([
    ['T1', 'first'],
    ['T2', 'second']
  ])
})

test('a 403 raises the permission alert and still fails the call', async () => {
  const { client, onForbidden } = talk([refusal(403, 'FORBIDDEN', 'Not for you.')])
  await expect(client.call(listDevices)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(onForbidden).toHaveBeenCalledOnce()
})

test('an error has its code, message, fields and Retry-After', async () => {
  const faults = [{ path: 'email', message: 'must be an e-mail address' }]
  const { client } = talk([refusal(429, 'TOO_MANY_REQUESTS', 'Please try again after 42 seconds.', faults)])
  const error: unknown = await client.call(getDevice, { params: { id } }).catch((failure: unknown) => failure)
  if (!(error instanceof ApiError)) throw new Error('not an ApiError')
  expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429, retryAfterS: 42 })
  expect(errorMessage(error, 'fallback')).toBe('Please try again after 42 seconds.')
  expect(fieldErrors(error)).toEqual({ email: 'must be an e-mail address' })
})

test.each([
  ["a proxy's own page", { status: 502, body: '<html>Bad gateway</html>' }],
  ['an answer that is not of the contract', good({ devices: 'none' })],
  ['no envelope at all', { status: 200, body: '[]' }]
])('%s shows the fallback, never its raw text', async (_, answer) => {
  const { client } = talk([answer])
  const error: unknown = await client.call(listDevices).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER' })
  expect(errorMessage(error, 'Failed to load devices')).toBe('Failed to load devices')
})

test('an error with only a message shows it', async () => {
  const { client } = talk([{ status: 401, body: '{"message":"Custom words"}' }])
  const call = client.call(login, { body: { email: 's@example.com', password: 'secret' } })
  const error: unknown = await call.catch((failure: unknown) => failure)
  expect(errorMessage(error, 'Login failed')).toBe('Custom words')
})

test('messages for fields are in the same language as the message for the whole', async () => {
  const sentence = 'This password is too easy to guess.'
  const fault = { path: 'password', message: sentence }
  const nepali: ServerWords = (message) => (message === sentence ? 'यो पासवर्ड सजिलै अनुमान गर्न सकिन्छ।' : message)
  const { client } = talk([refusal(400, 'VALIDATION', sentence, [fault])], {}, nepali)
  const call = client.call(login, { body: { email: 's@example.com', password: 'secret' } })
  const error: unknown = await call.catch((failure: unknown) => failure)
  expect(fieldErrors(error)).toEqual({ password: errorMessage(error, '') })
  expect(errorMessage(error, '')).toContain('पासवर्ड')
})

test('a successful answer needs only its data in the envelope', async () => {
  const { client } = talk([
    { status: 200, body: { data: emptyList } },
    { status: 200, body: { success: false } }
  ])
  expect((await client.call(listDevices)).devices).toEqual([])
  await expect(client.call(listDevices)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' })
})

test('a call whose session ended before it was sent shows nothing', async () => {
  const { CancelledError } = await import('./api-error.ts')
  const { client, requests } = talk([], {
    authorize: async () => {
      throw new CancelledError()
    }
  })
  const error: unknown = await client.call(listDevices).catch((failure: unknown) => failure)
  expect(errorMessage(error, 'fallback')).toBeNull()
  expect(requests).toEqual([])
})
