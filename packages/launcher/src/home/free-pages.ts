import { setTimeout as pause } from 'node:timers/promises'

/** Buffers of collected objects are freed a little later, by a thread of V8. */
const sweepMs = 1000

/**
 * Returns to the system what the heap of the C library holds free between blocks in use; by itself it returns only its end.
 * Keeps the thread for some 15 ms where 75 MiB go back. Only glibc needs this and has the call; elsewhere nothing happens.
 *
 * @returns whether the call was made.
 * @see https://man7.org/linux/man-pages/man3/malloc_trim.3.html
 */
export async function returnFreePages(): Promise<boolean> {
  await pause(sweepMs)
  try {
    // Most homes never have a load that makes the library worth its 2 MiB.
    const { default: koffi } = await import('koffi')
    const trim = koffi.load('libc.so.6').func('int malloc_trim(size_t pad)')
    trim(0)
    return true
  } catch {
    return false
  }
}
