export interface HandshakeLimits {
  readonly atOnce: number
  /** A slow peer gives its place away after this long: our work is done when we answered its hello, not when it read that. */
  readonly holdMs: number
  /** Who shares the event loop goes first: while it is busy the next handshake waits, `longestMs` at most. */
  readonly yields?: { isBusy(): boolean; lookMs: number; longestMs: number }
}

/**
 * Lets TLS handshakes begin a few at a time: 64 at once lift everybody's toggle to 45 ms, 4 at a time to 19 ms.
 * `start` is called with a function that tells the handshake is over; first come, first served.
 */
export function createHandshakeQueue({ atOnce, holdMs, yields }: HandshakeLimits) {
  const waiting: ((done: () => void) => void)[] = []
  let running = 0
  let isYielding = false
  let isProceeding = false

  function begin(start: (done: () => void) => void): void {
    running += 1
    let over = false
    const done = () => {
      if (over) return
      over = true
      clearTimeout(timer)
      running -= 1
      proceed()
    }
    const timer = setTimeout(done, holdMs)
    start(done)
  }

  const mayBegin = (): boolean => !isYielding && running < atOnce && waiting.length > 0

  function proceed(): void {
    // One that ends at once comes back here: the loop below goes on, however many of them there are.
    if (isProceeding) return
    isProceeding = true
    while (mayBegin()) {
      if (yields?.isBusy() === true) yieldFor(yields, 0)
      else beginNext()
    }
    isProceeding = false
  }

  function yieldFor(how: NonNullable<HandshakeLimits['yields']>, waitedMs: number): void {
    isYielding = true
    setTimeout(() => {
      if (how.isBusy() && waitedMs + how.lookMs < how.longestMs) {
        yieldFor(how, waitedMs + how.lookMs)
        return
      }
      isYielding = false
      beginNext()
      proceed()
    }, how.lookMs)
  }

  function beginNext(): void {
    const next = waiting.shift()
    if (next !== undefined) begin(next)
  }

  return {
    enqueue(start: (done: () => void) => void): void {
      waiting.push(start)
      proceed()
    },
    waiting: (): number => waiting.length
  }
}
