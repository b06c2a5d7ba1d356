import { afterEach, beforeEach, vi } from 'vitest'

/**
 * In the tests of a file or a `describe`, each write is one commit. With the real clock a stalled machine ends the turn of a
 * command, and what it has written so far can be committed before the rest.
 */
export function commitWholeWrites(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())
}
