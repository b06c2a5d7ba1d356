import { readFileSync } from 'node:fs'

/** Clock ticks a second that /proc counts CPU time in; fixed at 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

/** CPU time of a process so far, milliseconds, its threads included; null where there is no /proc. */
export function cpuMs(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** CPU time that the machine has spent on anything so far, milliseconds; null where there is no /proc. */
export function machineCpuMs(): number | null {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu +(.+)$/m.exec(read('/proc/stat') ?? '')?.[1] ?? ''
  )
    .split(' ')
    .map(Number)
  const ticks = user + nice + system + irq + softirq + steal
  return ticks === 0 ? null : (ticks * 1000) / ticksPerSecond
}

/** Memory that a process holds, KiB; null where there is no /proc. */
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
