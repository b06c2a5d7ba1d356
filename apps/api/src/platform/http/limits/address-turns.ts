/** A request takes about a millisecond, and a turn costs little more than its requests. */
const perTurn = 2

/**
 * Begins two requests of each address in a turn of the event loop, and the rest of them in its next turns, in their order.
 * Otherwise hundreds of connections of one address would make each turn last a second, and a tap of somebody else needs several.
 */
export function createAddressTurns(): (address: string, begin: () => void) => void {
  /** How many have begun in this turn. */
  const begun = new Map<string, number>()
  const lines = new Map<string, (() => void)[]>()

  function nextTurn(): void {
    begun.clear()
    for (const [address, line] of lines) {
      const first = line.splice(0, perTurn)
      if (line.length === 0) lines.delete(address)
      for (const begin of first) start(address, begin)
    }
  }

  function start(address: string, begin: () => void): void {
    if (begun.size === 0) setImmediate(nextTurn)
    begun.set(address, (begun.get(address) ?? 0) + 1)
    begin()
  }

  return (address, begin) => {
    if ((begun.get(address) ?? 0) < perTurn) return start(address, begin)
    const line = lines.get(address)
    if (line === undefined) lines.set(address, [begin])
    else line.push(begin)
  }
}
