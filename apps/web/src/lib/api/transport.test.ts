import { ApiError } from '@batti/client/api-error'
import { networkError, type HttpRequest } from '@batti/client/transport'
import { expect, test } from 'vitest'
import { noticeUnsent } from './transport.ts'

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
