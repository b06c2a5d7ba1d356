import type { Clock } from '@batti/kit/clock'

/** The other instances, as their entries show them. Each numbers its entries, so that a gap reveals a loss. */
export function createHeardInstances({ clock, lostMs }: { clock: Pick<Clock, 'monotonic'>; lostMs: number }) {
  /** The number of the newest entry of each instance, -1 if it is unknown, and when it arrived. */
  const heard = new Map<string, { number: number; at: number }>()

  return {
    names: (): string[] => [...heard.keys()],
    has: (name: string): boolean => heard.has(name),
    /** Notes an entry without its number: the next one shows no gap, and only that the instance is there. */
    noteSign(name: string): void {
      heard.set(name, { number: heard.get(name)?.number ?? -1, at: clock.monotonic() })
    },
    /** Notes a numbered entry. Returns how many entries were lost before it. */
    noteEntry(name: string, number: number): number {
      const before = heard.get(name)?.number ?? -1
      heard.set(name, { number, at: clock.monotonic() })
      return before < 0 ? 0 : Math.max(0, number - before - 1)
    },
    forget: (name: string): void => void heard.delete(name),
    /** Forgets instances that were silent for too long, and returns them. */
    forgetSilent(): string[] {
      const silent = [...heard].flatMap(([name, { at }]) => (clock.monotonic() - at > lostMs ? name : []))
      for (const name of silent) heard.delete(name)
      return silent
    }
  }
}
