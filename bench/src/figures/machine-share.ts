import { availableParallelism } from 'node:os'
import { cpuMs, machineCpuMs } from './process-usage.ts'

/** Measures from now on the CPU share of all other processes: 0 to 1; NaN without /proc. */
export function watchOthers(pids: readonly number[]): () => number {
  const ours = (): number => pids.reduce((sum, pid) => sum + (cpuMs(pid) ?? Number.NaN), 0)
  let before = { at: performance.now(), all: machineCpuMs() ?? Number.NaN, ours: ours() }
  /** Returns the share since the last call. */
  return () => {
    const now = { at: performance.now(), all: machineCpuMs() ?? Number.NaN, ours: ours() }
    const others = now.all - before.all - (now.ours - before.ours)
    const share = others / ((now.at - before.at) * availableParallelism())
    before = now
    return Math.max(0, share)
  }
}
