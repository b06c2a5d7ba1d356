import { systemClock, type Timers } from '../clock.ts'

/** How long a stop may take, after the drain, before the process ends itself. */
const stopWithinMs = 9000

interface Stop {
  /** How long `stop` goes on serving before it ends anything. */
  drainMs: number
  stop(): Promise<void>
  /** Once, when the stop begins. */
  say?(signal: string): void
}

type Process = Pick<NodeJS.Process, 'on' | 'exit'>

/** Stops and ends the process when it is told to. Answers the same, for who asks in another way than by a signal. */
export function stopOnSignals(
  { drainMs, stop, say }: Stop,
  own: Process = process,
  clock: Pick<Timers, 'after'> = systemClock
): () => void {
  let isStopping = false
  let terms = 0
  const end = (signal: string): void => {
    // Whoever asks twice does not want to wait; Ctrl+C reaches every part once by itself, and once more from the launcher.
    if (signal === 'SIGTERM' && (terms += 1) === 2) own.exit(1)
    if (isStopping) return
    isStopping = true
    say?.(signal)
    clock.after(drainMs + stopWithinMs, () => own.exit(1))
    void stop().then(() => own.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) own.on(signal, end)
  return () => end('request')
}
