import type { Clock } from '@batti/kit/clock'

/** Compares the clock of another machine with the monotonic one of this machine, which nobody sets. */
export function createOtherClock(clock: Pick<Clock, 'monotonic'>) {
  let ahead: number | null = null

  return {
    /** How far it is ahead of the monotonic clock; null before its first answer. */
    ahead: (): number | null => ahead,
    /** Notes that it said `time` at any moment since `asked`. Returns by how much it was set since its earlier answers. */
    note(time: number, asked: number): number {
      const [least, most] = [time - clock.monotonic(), time - asked]
      const before = ahead ?? least
      // What was known is more exact than a slow answer.
      ahead = Math.min(Math.max(before, least), most)
      return ahead - before
    }
  }
}
