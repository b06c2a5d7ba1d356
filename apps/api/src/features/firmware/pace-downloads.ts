import type { Timers } from '@batti/kit/clock'

/**
 * All downloads of images together take this much, however many boards ask at once: what is left of the line and of the
 * processor belongs to the switches. One board's image of a megabyte takes a quarter of a second.
 */
const bytesPerSecond = 4 * 1024 * 1024
/** A download that has waited so long comes before those that began earlier: its board would give up. */
const waitMaxMs = 1000

interface Turn {
  /** Counts the downloads; the first has the lowest. */
  download: number
  since: number
  begin(): void
}

/**
 * Lets parts of downloads through one after the other, each when the one before has had its time. Whoever began first goes
 * first: boards that were told together then come to their end, and to their restart, one after the other.
 */
export function createPace(timers: Pick<Timers, 'after' | 'monotonic'>, rate = bytesPerSecond) {
  const waiting: Turn[] = []
  let downloads = 0
  let isTaken = false

  /** In the order in which they wait, so that the first is the one that has waited longest. */
  function next(): Turn | undefined {
    const [longest] = waiting
    if (longest === undefined || timers.monotonic() - longest.since >= waitMaxMs) return longest
    return waiting.reduce((first, turn) => (turn.download < first.download ? turn : first))
  }

  function letNextBegin(): void {
    const turn = next()
    isTaken = turn !== undefined
    if (turn === undefined) return
    waiting.splice(waiting.indexOf(turn), 1)
    turn.begin()
  }

  const takeTurn = (download: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ download, since: timers.monotonic(), begin: resolve })
      if (!isTaken) letNextBegin()
    })

  return async function* paced(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const download = (downloads += 1)
    for await (const part of source) {
      await takeTurn(download)
      timers.after((part.length * 1000) / rate, letNextBegin)
      yield part
    }
  }
}
export type Pace = ReturnType<typeof createPace>
