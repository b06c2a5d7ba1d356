import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'

/** Syncs the file of a descriptor to the disk, like `fs.fdatasync`. */
export type SyncFile = (descriptor: number, done: (error: Error | null) => void) => void

export interface DiskSync {
  /** Resolves once everything that was written before the call survives a power cut. */
  synced(): Promise<void>
  /** Syncs a last time and closes the descriptor. */
  close(): void
}

/**
 * Syncs a file off the event loop, one sync at a time. Calls during a sync share the next one. A failed sync is not
 * retried: the system may have discarded the unwritten pages, and a retry would then report success.
 */
export function createDiskSync(path: string, syncFile: SyncFile = fdatasync): DiskSync {
  const descriptor = openSync(path, 'r+')
  // A killed process may have left unsynced writes, which clients will read from now on.
  fdatasyncSync(descriptor)
  let isSyncing = false
  let isClosing = false
  let next: PromiseWithResolvers<void> | null = null
  let failure: Error | null = null

  const sync = (): void => {
    const round = next
    if (round === null || isSyncing) return
    next = null
    isSyncing = true
    syncFile(descriptor, (error) => {
      isSyncing = false
      failure ??= error
      if (failure) round.reject(failure)
      else round.resolve()
      if (isClosing) closeSync(descriptor)
      else sync()
    })
  }

  return {
    synced: () => {
      next ??= Promise.withResolvers()
      const { promise } = next
      sync()
      return promise
    },
    close: () => {
      isClosing = true
      fdatasyncSync(descriptor)
      if (!isSyncing) closeSync(descriptor)
    }
  }
}
