import type { Timers } from '@batti/kit/clock'

/**
 * The bandwidth of all image downloads together, however many boards ask at once: the rest of line and processor is for
 * switches. An image of a megabyte takes one board a quarter of a second.
 */
const bytesPerSecond = 4 * 1024 * 1024
/** A download that has waited this long goes before those that began earlier, because its board would give up. */
const waitMaxMs = 1000

interface Turn {
  /** Sequence number of the download, ascending. */
  download: number
  since: number
  begin(): void
}

/**
 * Lets chunks of downloads through one at a time, each after the time of the one before. The download that began first has
 * priority, so that boards notified together finish, and restart, one after the other.
 */
export function createDownloadThrottle(timers: Pick<Timers, 'after' | 'monotonic'>, rate = bytesPerSecond) {
  const waiting: Turn[] = []
  let downloads = 0
  let isTaken = false

  /** In order of waiting, the longest first. */
  function next(): Turn | undefined {
    const [longest] = waiting
    if (longest === undefined || timers.monotonic() - longest.since >= waitMaxMs) return longest
    return waiting.reduce((first, turn) => (turn.download < first.download ? turn : first))
  }

  function startNext(): void {
    const turn = next()
    isTaken = turn !== undefined
    if (turn === undefined) return
    waiting.splice(waiting.indexOf(turn), 1)
    turn.begin()
  }

  const takeTurn = (download: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ download, since: timers.monotonic(), begin: resolve })
      if (!isTaken) startNext()
    })

  return async function* paced(source: AsyncIterable<Buffer>, isOver: () => boolean): AsyncGenerator<Buffer> {
    const download = (downloads += 1)
    for await (const part of source) {
      await takeTurn(download)
      if (isOver()) return startNext()
      timers.after((part.length * 1000) / rate, startNext)
      yield part
    }
  }
}
export type DownloadThrottle = ReturnType<typeof createDownloadThrottle>
