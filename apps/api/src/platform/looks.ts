/** After a start, and after anything that may want another look soon: longer than any lease of ours. */
const awakeMs = 15_000
/** A plan that was made in the last moment of a minute may be stored a moment after it. */
const minuteBeginsMs = 3000

/**
 * When a loop that could look at the database each second does so: always where other instances write there. One that is
 * alone knows what it wrote: it looks while it is awake, and when a minute begins. The loop asks by the wall clock, which
 * may jump, and which goes on while a machine sleeps.
 */
export function createLooks({ isAlone, now }: { isAlone: boolean; now: () => number }) {
  let [from, until] = [now(), now() + awakeMs]
  let minute = Math.floor(now() / 60_000)

  function wake(forMs = awakeMs): void {
    const at = now()
    // The end that was set before the clock went back is of a time that is no more.
    until = at < from ? at + forMs : Math.max(until, at + forMs)
    from = at
  }

  return {
    /** Something was begun, or could not be done: the next looks are wanted. */
    wake,
    isTime(): boolean {
      const at = now()
      if (Math.floor(at / 60_000) !== minute) {
        minute = Math.floor(at / 60_000)
        wake(minuteBeginsMs)
      }
      return !isAlone || (at >= from && at < until)
    }
  }
}
