import { actionLogRecord, errorBody, serverEvents } from '@batti/contracts'
import { describe, expect, test } from 'vitest'
import { lenientParse } from './lenient-parse.ts'

const mac = '34:98:7A:0C:51:E2'
const update = {
  deviceMac: mac,
  isOnline: true,
  update: { switch: [true], speed: [0], fanIndexes: [] },
  cause: { by: 'timer', from: 'matter' },
  bootId: 'boot0001',
  seq: 3,
  at: 1
}

describe('a text that no enum lists yet is kept', () => {
  test.each([
    ['causes of an event', serverEvents['switch-update'], update],
    ['the reason of an event', serverEvents['device-removed'], { deviceMac: mac, reason: 'replaced' }],
    [
      'the code of a refusal',
      errorBody,
      { statusCode: 409, success: false, message: 'It is locked.', code: 'LOCKED', requestId: 'r' }
    ]
  ])('%s', (_, schema, sent) => {
    expect(lenientParse(schema, sent).data).toEqual(sent)
  })

  test('beside what the schema strips, and without a change to what was sent', () => {
    const sent = { deviceMac: mac, reason: 'ended', later: 1 }
    expect(lenientParse(serverEvents['device-removed'], sent).data).toEqual({ deviceMac: mac, reason: 'ended' })
    expect(sent.reason).toBe('ended')
  })

  test('in any row of a list', () => {
    const kinds = actionLogRecord.pick({ kind: true }).array()
    const sent = [{ kind: 'change' }, { kind: 'skipped' }, { kind: 'paused' }]
    expect(lenientParse(kinds, sent).data).toEqual(sent)
  })
})

test.each([
  ['a missing value', { deviceMac: mac }],
  ['a value that is no text', { deviceMac: mac, reason: 7 }],
  ['an unknown text beside another fault', { deviceMac: 5, reason: 'ended' }],
  ['no object', 'ended']
])('%s is refused', (_, sent) => {
  expect(lenientParse(serverEvents['device-removed'], sent).success).toBe(false)
})

test('an answer that is refused is no good one', () => {
  expect(lenientParse(errorBody.shape.success, true).success).toBe(false)
  expect(lenientParse(errorBody.shape.code, 'LOCKED').success).toBe(false)
})
