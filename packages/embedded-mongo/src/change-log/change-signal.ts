import { EventEmitter } from 'node:events'

/** Wakes the streams that wait for more entries of the log. */
export function createChangeSignal() {
  const changes = new EventEmitter().setMaxListeners(0)
  return {
    emit: (): void => void changes.emit('change'),
    /** Resolves with the next signal, after `maxMs`, or when `signal` is aborted. */
    next: (signal: AbortSignal, maxMs: number): Promise<void> =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          changes.off('change', done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, maxMs)
        changes.on('change', done)
        signal.addEventListener('abort', done)
        if (signal.aborted) done()
      })
  }
}
