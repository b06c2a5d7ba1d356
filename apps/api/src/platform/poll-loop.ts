import { createPollTimes, type PollTimesOptions } from './poll-times.ts'

interface PollLoopOptions extends PollTimesOptions {
  /** Does everything that is due. */
  pass(): Promise<void>
  failed(error: unknown): void
  /** Time until the next look. */
  waitMs(): number
}

/** Runs passes over the database when it is time for one (see `createPollTimes`); never two at a time. */
export function createPollLoop(options: PollLoopOptions) {
  const pollTimes = createPollTimes(options)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let running: Promise<void> = Promise.resolve()

  /** Runs a pass after the one that is running. */
  function tick(): Promise<void> {
    running = running
      .then(() => (isStopped ? undefined : options.pass()))
      .catch((error: unknown) => {
        pollTimes.wake()
        options.failed(error)
      })
    return running
  }

  function wait(): void {
    timer = setTimeout(
      () => void (pollTimes.isTime() ? tick() : running).finally(() => (isStopped ? undefined : wait())),
      options.waitMs()
    )
  }

  return {
    tick,
    wake: pollTimes.wake,
    isStopped: () => isStopped,
    start(): void {
      isStopped = false
      wait()
    },
    /** Waits for the pass that is running. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await running
    }
  }
}
