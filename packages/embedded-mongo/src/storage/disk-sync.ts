import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'

/** Puts on the disk what the file of this descriptor has taken; as `fs.fdatasync`. */
export type SyncFile = (descriptor: number, done: (error: Error | null) => void) => void

export interface DiskSync {
  /** Resolves once everything that the file had taken at the time of the call survives a power cut. */
  synced(): Promise<void>
  /** Syncs for the last time. */
  close(): void
}

/**
 * Syncs a file off the event loop, one sync at a time: who asks while one is under way shares the next. A sync that
 * failed is not tried again: the system may have thrown away what it could not write, and would then report success.
 */
export function createDiskSync(path: string, syncFile: SyncFile = fdatasync): DiskSync {
  const descriptor = openSync(path, 'r+')
  // What a process that was killed has left unsynced is read, and told, from here on.
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
