import { performance } from 'node:perf_hooks'

/** Returns a function that tells whether the event loop was busy for more than `share` of the time since its last call. */
export function createLoopGauge(share: number): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > share
  }
}
