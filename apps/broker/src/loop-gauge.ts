import { performance } from 'node:perf_hooks'

/** Answers whether more than `share` of this thread's time has been used since it was asked last. */
export function createLoopGauge(share: number): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > share
  }
}
