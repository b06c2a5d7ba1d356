import { sleep, type Timers } from '@batti/kit/clock'

/**
 * All downloads of images together take this much, however many boards ask at once: what is left of the line and of the
 * processor belongs to the switches. One board's image of a megabyte takes an eighth of a second.
 */
const bytesPerSecond = 8 * 1024 * 1024

/** Lets parts of streams through one after the other, each when the one before has had its time. */
export function createPace(timers: Pick<Timers, 'after'>, rate = bytesPerSecond) {
  let isFree: Promise<void> = Promise.resolve()
  return async function* paced(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of source) {
      const turn = isFree
      isFree = turn.then(() => sleep(timers, (part.length * 1000) / rate))
      await turn
      yield part
    }
  }
}
export type Pace = ReturnType<typeof createPace>
