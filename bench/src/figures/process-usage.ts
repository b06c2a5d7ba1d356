import { readFileSync } from 'node:fs'

/** Clock ticks per second in /proc, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Returns the CPU time of a process and its threads so far, milliseconds; null without /proc. */
export function cpuMs(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** Returns the total busy CPU time of the machine so far, milliseconds; null without /proc. */
export function machineCpuMs(): number | null {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu +(.+)$/m.exec(read('/proc/stat') ?? '')?.[1] ?? ''
  )
    .split(' ')
    .map(Number)
  const ticks = user + nice + system + irq + softirq + steal
  return ticks === 0 ? null : (ticks * 1000) / ticksPerSecond
}

/** Returns the resident memory of a process, KiB; null without /proc. */
export function residentKib(pid: number): number | null {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')
  return line === null ? null : Number(line[1])
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
