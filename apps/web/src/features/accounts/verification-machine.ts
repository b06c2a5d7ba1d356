/**
 * The two steps of verifying an e-mail or a phone, as pure data: `send` requests a code, `code` checks it. `message` is
 * shown, and `isFault` marks it as an error; `said` is the server's own message, which decides the next step.
 */
export type VerificationState =
  | { step: 'send' | 'code'; isBusy: boolean; message: string | null; isFault: boolean }
  | { step: 'done' }

export type VerificationEvent =
  | { type: 'asked' }
  | { type: 'sent'; message: string }
  | { type: 'send-failed'; message: string | null; said: string }
  | { type: 'submitted' }
  | { type: 'verified' }
  | { type: 'verify-failed'; message: string | null; said: string }
  | { type: 'code-missing'; message: string }
  | { type: 'typed' }

export const verificationStart: VerificationState = { step: 'send', isBusy: false, message: null, isFault: false }

const says = (said: string, ...words: string[]) => words.some((word) => said.toLowerCase().includes(word))

export function nextVerification(state: VerificationState, event: VerificationEvent): VerificationState {
  if (state.step === 'done') return state
  const { step } = state
  switch (event.type) {
    case 'asked':
    case 'submitted':
      return { step, isBusy: true, message: null, isFault: false }
    case 'sent':
      return { step: 'code', isBusy: false, message: event.message, isFault: false }
    case 'send-failed':
      // "Please try again after 42 seconds.": the code that was sent before is still valid.
      if (says(event.said, 'after')) return { step: 'code', isBusy: false, message: event.message, isFault: false }
      return { step, isBusy: false, message: event.message, isFault: true }
    case 'verify-failed':
      return {
        step: says(event.said, 'expired', 'invalid') ? 'send' : 'code',
        isBusy: false,
        message: event.message,
        isFault: true
      }
    case 'code-missing':
      return { step, isBusy: false, message: event.message, isFault: true }
    case 'typed':
      return state.isFault ? { step, isBusy: state.isBusy, message: null, isFault: false } : state
    case 'verified':
      return { step: 'done' }
  }
}
