/** The boards between two versions, as known here: no command is sent to them. */
export function createLockedBoards() {
  const locked = new Set<string>()
  /** What was locked and unlocked while the stored list was read, which may be older. */
  const meanwhile = new Map<string, boolean>()

  function lock(deviceId: string, isIt: boolean): void {
    meanwhile.set(deviceId, isIt)
    if (isIt) locked.add(deviceId)
    else locked.delete(deviceId)
  }

  return {
    lock,
    isLocked: (deviceId: string): boolean => locked.has(deviceId),
    /** Replaces the list by what is stored. */
    async load(readStored: () => Promise<readonly string[]>): Promise<void> {
      meanwhile.clear()
      const stored = await readStored()
      locked.clear()
      for (const id of stored) locked.add(id)
      for (const [id, isIt] of meanwhile) lock(id, isIt)
    }
  }
}
export type LockedBoards = ReturnType<typeof createLockedBoards>
