import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorBody, failureBody, successBody } from './envelope.ts'
import { errorCodes, errorStatus, isErrorCode } from './errors.ts'

describe('an answer', () => {
  it('carries its payload twice: body.data.devices and body.devices', () => {
    const body = successBody(200, 'OK', { devices: [1], total: 1 })
    expect(body).toEqual({
      statusCode: 200,
      success: true,
      message: 'OK',
      data: { devices: [1], total: 1 },
      devices: [1],
      total: 1
    })
  })

  it('is never overridden by its payload', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('statusCode', 'success', 'message', 'data', 'devices'), fc.anything()),
        (payload) => {
          const body = successBody(201, 'Made.', payload, { beside: { success: false, statusCode: 500 } })
          expect([body.statusCode, body.success, body.message, body.data]).toEqual([201, true, 'Made.', payload])
        }
      )
    )
  })

  it('has a record in data alone', () => {
    expect(Object.keys(successBody(200, 'OK', { _id: '1', name: 'Lamp' }, { spread: false }))).toEqual([
      'statusCode',
      'success',
      'message',
      'data'
    ])
  })

  it("may be a bare list with its totals beside it, like the staff's list of switches", () => {
    const body = successBody(200, 'OK', ['a'], { beside: { switches: ['a'], total: 1 } })
    expect(body).toEqual({ statusCode: 200, success: true, message: 'OK', data: ['a'], switches: ['a'], total: 1 })
  })

  it('never spreads a list or a text into numbered fields', () => {
    for (const data of [['a', 'b'], 'text', null, undefined, 3]) {
      expect(Object.keys(successBody(200, 'OK', data))).toEqual(['statusCode', 'success', 'message', 'data'])
    }
  })
})

describe('a refusal', () => {
  it('has the status of its code, for every code', () => {
    for (const code of errorCodes) {
      const body = failureBody(code, 'Why.', 'r1')
      expect(errorBody.parse(body)).toEqual({
        statusCode: errorStatus[code],
        success: false,
        message: 'Why.',
        code,
        requestId: 'r1'
      })
    }
  })

  it('names the invalid fields only if there are some', () => {
    expect(failureBody('VALIDATION', 'Why.', 'r1', [])).not.toHaveProperty('errors')
    expect(failureBody('VALIDATION', 'Why.', 'r1', [{ path: 'name', message: 'is required' }]).errors).toHaveLength(1)
  })
})

describe('the error codes', () => {
  it('are the closed list of the wire, each with its status', () => {
    expect(errorStatus).toEqual({
      VALIDATION: 400,
      CODE_INVALID: 400,
      DEVICE_TYPE_UNKNOWN: 400,
      UNAUTHENTICATED: 401,
      FORBIDDEN: 403,
      IP_BLOCKED: 403,
      DEVICE_REFUSED: 403,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      CONFLICT: 409,
      DEVICE_OFFLINE: 409,
      LIMIT_REACHED: 409,
      PAYLOAD_TOO_LARGE: 413,
      URI_TOO_LONG: 414,
      UNSUPPORTED_MEDIA: 415,
      UNPROCESSABLE: 422,
      TOO_MANY_REQUESTS: 429,
      INTERNAL: 500,
      UNAVAILABLE: 503,
      DEVICE_NO_RESPONSE: 504,
      STORAGE_FULL: 507
    })
  })

  it('do not include inherited property names', () => {
    for (const name of ['toString', 'constructor', '__proto__', '', 404, null]) expect(isErrorCode(name)).toBe(false)
  })
})
