import { setTimeout as pause } from 'node:timers/promises'

/** A V8 thread frees the buffers of collected objects a little after the collection. */
const sweepMs = 1000

/**
 * Returns free memory between used blocks of the C heap to the system; glibc by itself releases only the end of the heap.
 * Blocks the thread for some 15 ms when it releases 75 MiB. Only glibc needs and has the call; elsewhere nothing happens.
 *
 * @returns whether the call was made.
 * @see https://man7.org/linux/man-pages/man3/malloc_trim.3.html
 */
export async function returnFreePages(): Promise<boolean> {
  await pause(sweepMs)
  try {
    // An optional package, without which everything else works.
    const { default: koffi } = await import('koffi')
    const trim = koffi.load('libc.so.6').func('int malloc_trim(size_t pad)')
    trim(0)
    return true
  } catch {
    return false
  }
}
