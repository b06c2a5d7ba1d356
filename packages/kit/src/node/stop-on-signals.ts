import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock, type Timers } from '../clock.ts'

/** How long a stop may take after the drain before the process exits. */
const stopWithinMs = 9000

interface Stop {
  /** How long `stop` continues to serve before it ends anything. */
  drainMs: number
  stop(): Promise<void>
  /** Called once when the stop begins. */
  say?(signal: string): void
}

type Process = Pick<NodeJS.Process, 'on' | 'exit'>

/** Stops and exits on a signal. Returns a function that does the same for a request without a signal. */
export function stopOnSignals(
  { drainMs, stop, say }: Stop,
  own: Process = process,
  clock: Pick<Timers, 'after'> = systemClock
): () => void {
  let isStopping = false
  let terms = 0
  const end = (signal: string): void => {
    // A second SIGTERM means: do not wait. Only SIGTERM counts, because after Ctrl+C a part gets a SIGINT and a SIGTERM.
    if (signal === 'SIGTERM' && (terms += 1) === 2) own.exit(1)
    if (isStopping) return
    isStopping = true
    say?.(signal)
    clock.after(drainMs + stopWithinMs, () => own.exit(1))
    void stop().then(() => own.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) own.on(signal, end)
  own.on('exit', collectGarbage)
  return () => end('request')
}

/**
 * `process.exit` waits for V8's compiler threads, and hangs for ever if one of them waits for a garbage collection, which the
 * exiting thread never does. A collection right before leaves them room.
 *
 * @see https://github.com/nodejs/node/issues/64274
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
}
