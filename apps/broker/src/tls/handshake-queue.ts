export interface HandshakeLimits {
  readonly atOnce: number
  /** A slow peer frees its slot after this long: the costly part is the answer to its hello, not its reading of that. */
  readonly holdMs: number
  /** Gives other work on the event loop priority: while the loop is busy, the next handshake waits up to `longestMs`. */
  readonly yields?: { isBusy(): boolean; lookMs: number; longestMs: number }
}

/**
 * Limits concurrent TLS handshakes, in order of arrival: 64 at once raise the latency of a toggle to 45 ms, 4 to 19 ms.
 * `start` receives a function to call when its handshake is over.
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
    // A handshake that ends synchronously re-enters here. The outer loop goes on instead of a recursion.
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
