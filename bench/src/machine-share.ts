import { availableParallelism } from 'node:os'
import { cpuMs, machineCpuMs } from './process-usage.ts'

/** Measures, from now on, how much of the machine went to anything but these processes: 0 to 1, NaN where there is no /proc. */
export function watchOthers(pids: readonly number[]): () => number {
  const ours = (): number => pids.reduce((sum, pid) => sum + (cpuMs(pid) ?? Number.NaN), 0)
  let before = { at: performance.now(), all: machineCpuMs() ?? Number.NaN, ours: ours() }
  /** Since it was asked last. */
  return () => {
    const now = { at: performance.now(), all: machineCpuMs() ?? Number.NaN, ours: ours() }
    const others = now.all - before.all - (now.ours - before.ours)
    const share = others / ((now.at - before.at) * availableParallelism())
    before = now
    return Math.max(0, share)
  }
}
