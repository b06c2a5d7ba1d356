import type { DeviceAuthRequest, DeviceCredentials } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createAnswerAgain } from './answer-again.ts'

const from = { ip: '192.0.2.1', host: 'batti.local' }
const request = (changes: Partial<DeviceAuthRequest> = {}): DeviceAuthRequest =>
  ({
    deviceMac: 'AABBCCDDEEFF',
    nonce: 'one',
    userId: 'a.CODE',
    deviceToken: 'secret',
    ...changes
  }) as DeviceAuthRequest

/** Answers each attempt with a password of its own, for the board that `deviceIdOf` says. */
function setUp(deviceIdOf: (request: DeviceAuthRequest) => string = () => 'board') {
  const clock = createFakeClock()
  clock.advance(5000)
  let attempts = 0
  const again = createAnswerAgain(async (asked) => {
    attempts += 1
    const mqttPassword = `password ${attempts}`
    await new Promise((resolve) => void setImmediate(resolve))
    if (asked.userId === 'refused') throw new Error(`refused ${attempts}`)
    return { deviceId: deviceIdOf(asked), mqttPassword } as DeviceCredentials
  }, clock)
  const passwordOf = async (changes?: Partial<DeviceAuthRequest>): Promise<string> =>
    (await again.authenticate(request(changes), from)).mqttPassword
  return { again, clock, passwordOf }
}

test('the same attempt of a board has the same answer for a minute, also while the first is under way', async () => {
  const { clock, passwordOf } = setUp()
  expect(await Promise.all([passwordOf(), passwordOf()])).toEqual(['password 1', 'password 1'])
  clock.advance(59_999)
  expect(await passwordOf()).toBe('password 1')
  clock.advance(1)
  expect(await passwordOf()).toBe('password 2')
})

test.each([{ deviceMac: 'AABBCCDDEE00' }, { nonce: 'two' }, { userId: 'b.CODE' }, { deviceToken: 'other' }])(
  'an attempt with another %j is another one',
  async (changes) => {
    const { passwordOf } = setUp()
    expect([await passwordOf(), await passwordOf(changes), await passwordOf()]).toEqual([
      'password 1',
      'password 2',
      'password 1'
    ])
  }
)

test('a refusal is not repeated: the next attempt is judged again', async () => {
  const { passwordOf } = setUp()
  await expect(passwordOf({ userId: 'refused' })).rejects.toThrow('refused 1')
  await expect(passwordOf({ userId: 'refused' })).rejects.toThrow('refused 2')
})

test('a board that has left its owner gets no answer of before, and others keep theirs', async () => {
  const { again, passwordOf } = setUp(({ deviceMac }) => deviceMac)
  const other = { deviceMac: 'AABBCCDDEE00' }
  expect([await passwordOf(), await passwordOf(other)]).toEqual(['password 1', 'password 2'])
  again.forget('AABBCCDDEEFF')
  expect([await passwordOf(), await passwordOf(other)]).toEqual(['password 3', 'password 2'])
})

test('ten thousand answers are remembered at most, the latest', async () => {
  const { passwordOf } = setUp()
  await Promise.all(Array.from({ length: 10_001 }, (_, index) => passwordOf({ nonce: `number ${index}` })))
  expect(await passwordOf({ nonce: 'number 1' })).toBe('password 2')
  expect(await passwordOf({ nonce: 'number 0' })).toBe('password 10002')
})
