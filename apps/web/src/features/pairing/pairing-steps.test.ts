import { expect, test } from 'vitest'
import { laterProgress, stepStates, type Pairing } from './pairing-steps.ts'

const received = (...steps: Pairing['step'][]) =>
  steps.reduce<Pairing | undefined>((pairing, step) => laterProgress(pairing, { id: 'claim', step }), undefined)
const states = (pairing: Pairing | undefined, isSent = false) =>
  Object.values(stepStates({ hasCode: true, isSent, pairing })).join(' ')

test('each step is ticked when it is done', () => {
  expect(states(received('waiting'))).toBe('done now todo todo todo')
  expect(states(received('waiting'), true)).toBe('done done now todo todo')
  expect(states(received('waiting', 'reached'), true)).toBe('done done done now todo')
  expect(states(received('waiting', 'reached', 'claimed'), true)).toBe('done done done done now')
  expect(states(received('waiting', 'online'), true)).toBe('done done done done done')
})

test('a board that reached the server has received the form, also if a phone sent it', () => {
  expect(states(received('reached'))).toBe('done done done now todo')
})

test('an older state that arrives late changes nothing', () => {
  expect(received('waiting', 'claimed', 'reached')?.step).toBe('claimed')
  expect(received('online', 'expired')?.step).toBe('online')
})

test('a failure is shown at the step where it happened', () => {
  expect(states(received('waiting', 'reached', 'failed'), true)).toBe('done done done failed todo')
  expect(states(received('waiting', 'expired'), true)).toBe('done done failed todo todo')
})

test('a failure is cleared by a board that is accepted with the same code', () => {
  expect(received('reached', 'failed', 'claimed', 'online')?.step).toBe('online')
  expect(states(received('reached', 'failed', 'claimed'), true)).toBe('done done done done now')
})

test('an old state from before a failure does not hide it', () => {
  expect(received('reached', 'failed', 'reached')?.step).toBe('failed')
})

test('another code starts over', () => {
  const failed = received('waiting', 'failed')
  expect(laterProgress(failed, { id: 'next', step: 'waiting' })).toMatchObject({ step: 'waiting', furthest: 'waiting' })
})
