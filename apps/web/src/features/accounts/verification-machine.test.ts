import { expect, test } from 'vitest'
import {
  nextVerification,
  verificationStart,
  type VerificationEvent,
  type VerificationState
} from './verification-machine.ts'

const after = (...events: VerificationEvent[]): VerificationState => events.reduce(nextVerification, verificationStart)
const asked: VerificationEvent[] = [{ type: 'asked' }, { type: 'sent', message: 'On its way.' }]

test('a code is requested and accepted, and the verification is done', () => {
  expect(after({ type: 'asked' })).toMatchObject({ step: 'send', isBusy: true })
  expect(after(...asked)).toEqual({ step: 'code', isBusy: false, message: 'On its way.', isFault: false })
  expect(after(...asked, { type: 'submitted' })).toMatchObject({ step: 'code', isBusy: true })
  expect(after(...asked, { type: 'submitted' }, { type: 'verified' })).toEqual({ step: 'done' })
})

test('a message to retry later still leads to the code step, and is shown', () => {
  const message = 'Please try again after 42 seconds.'
  expect(after({ type: 'asked' }, { type: 'send-failed', message, said: message })).toEqual({
    step: 'code',
    isBusy: false,
    message,
    isFault: false
  })
})

test('any other failure to send stays at the send step with its sentence', () => {
  const message = 'This phone number belongs to another account.'
  expect(after({ type: 'asked' }, { type: 'send-failed', message, said: message })).toEqual({
    step: 'send',
    isBusy: false,
    message,
    isFault: true
  })
})

test.each(['That code is invalid.', 'The code has EXPIRED.', 'The code is invalid or expired.'])(
  '“%s” leads back to the send step',
  (message) => {
    expect(after(...asked, { type: 'submitted' }, { type: 'verify-failed', message, said: message })).toEqual({
      step: 'send',
      isBusy: false,
      message,
      isFault: true
    })
  }
)

test('another failure to verify keeps the code step', () => {
  const state = after(
    ...asked,
    { type: 'submitted' },
    { type: 'verify-failed', message: 'Verification failed', said: 'Verification failed' }
  )
  expect(state).toMatchObject({ step: 'code', isBusy: false, message: 'Verification failed', isFault: true })
})

test('a cancelled call leaves no message and no spinner', () => {
  expect(after({ type: 'asked' }, { type: 'send-failed', message: null, said: '' })).toMatchObject({
    step: 'send',
    isBusy: false,
    message: null
  })
})

test('typing removes an error, and keeps a notice', () => {
  const missing: VerificationEvent = { type: 'code-missing', message: 'Please enter the code.' }
  expect(after(...asked, missing, { type: 'typed' })).toMatchObject({ step: 'code', message: null })
  expect(after(...asked, { type: 'typed' })).toMatchObject({ message: 'On its way.' })
})

test('nothing undoes a verification', () => {
  const done = after(...asked, { type: 'verified' })
  expect(nextVerification(done, { type: 'verify-failed', message: 'x', said: 'The code is invalid.' })).toEqual({
    step: 'done'
  })
})
