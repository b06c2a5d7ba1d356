/**
 * Locks on the keys of unique indexes (including `_id`) that open transactions have written. The first writer wins: another
 * transaction gets a write conflict, and a single write waits for the end of the transaction.
 */
export interface Locks<Owner extends { ended: Promise<void> }> {
  /** True when no transaction holds a lock, so that no keys need to be computed. */
  isEmpty(): boolean
  owner(index: number, key: Buffer): Owner | null
  take(index: number, key: Buffer, owner: Owner): void
  release(owner: Owner): void
}

export function createLocks<Owner extends { ended: Promise<void> }>(): Locks<Owner> {
  const owners = new Map<string, Owner>()
  const held = new Map<Owner, string[]>()
  const nameOf = (index: number, key: Buffer): string => `${index}:${key.toString('latin1')}`
  return {
    isEmpty: () => owners.size === 0,
    owner: (index, key) => (owners.size === 0 ? null : (owners.get(nameOf(index, key)) ?? null)),
    take: (index, key, owner) => {
      const name = nameOf(index, key)
      if (owners.get(name) === owner) return
      owners.set(name, owner)
      const names = held.get(owner)
      if (names) names.push(name)
      else held.set(owner, [name])
    },
    release: (owner) => {
      for (const name of held.get(owner) ?? []) owners.delete(name)
      held.delete(owner)
    }
  }
}
