import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.ts'
import { hotspots, type CpuProfile, type Hotspot } from './figures/cpu-profile.ts'
import { fillProduct } from './fill/fill-product.ts'
import { cpuMs } from './figures/process-usage.ts'
import { partsBy, startUnlimited } from './product.ts'
import type { Latency } from './load/target.ts'

const folder = join(import.meta.dirname, '../results/profiles')
const shown = 40

export interface ProfileOptions {
  perSecond: number
  seconds: number
  say(line: string): void
}

/**
 * Profiles a toggle in each part of the product: prints the hottest functions, milliseconds per toggle. Stores the profiles
 * in bench/results/profiles for a browser's DevTools.
 */
export async function profileToggle({ perSecond, seconds, say }: ProfileOptions): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const product = await startUnlimited({
    NODE_OPTIONS: `--import ${new URL('./figures/profiler-preload.ts', import.meta.url).href}`,
    PROFILE_DIR: folder
  })
  const load = startChild(new URL('./load/load-generator.ts', import.meta.url))
  try {
    const { target } = await fillProduct(product, { users: 10, boards: 100 })
    await load.ask({ do: 'connect', target })
    await load.ask({ do: 'toggle', perSecond, seconds: 5 })

    const parts = [...partsBy(product)]
    const before = parts.map(([pid]) => cpuMs(pid) ?? 0)
    for (const [pid] of parts) process.kill(pid, 'SIGUSR2')
    const latency = await load.ask<Latency>({ do: 'toggle', perSecond, seconds })
    await load.ask({ do: 'settle', withinMs: 10_000 })
    const spent = parts.map(([pid], index) => (cpuMs(pid) ?? 0) - (before[index] ?? 0))
    for (const [pid] of parts) process.kill(pid, 'SIGUSR2')

    const { done, p50, p99 } = latency
    say(`${done} toggles at ${perSecond}/s: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms`)
    for (const [index, [pid, names]] of parts.entries()) {
      say(
        `== ${names.join(', ')}: ${((spent[index] ?? 0) / done).toFixed(3)} ms CPU a toggle, the profiler's own included`
      )
      const spots = hotspots(await readProfile(join(folder, `${pid}.cpuprofile`)))
      say('by its own time, ms a toggle')
      for (const line of table(
        spots.filter(({ where }) => where !== '(idle)'),
        'selfMs',
        done
      ))
        say(line)
      say('with what it called, ms a toggle')
      for (const line of table(
        spots.filter(({ where }) => /:\d/.test(where)),
        'totalMs',
        done
      ))
        say(line)
    }
  } finally {
    await load.stop()
    await product.stop()
  }
}

/** Waits for the profile, which the profiled process renames to its final name when it is complete. */
async function readProfile(file: string): Promise<CpuProfile> {
  while (!existsSync(file)) await pause(100)
  return JSON.parse(await readFile(file, 'utf8')) as CpuProfile
}

function table(spots: readonly Hotspot[], by: 'selfMs' | 'totalMs', toggles: number): string[] {
  return spots
    .toSorted((a, b) => b[by] - a[by])
    .slice(0, shown)
    .map(({ where, selfMs, totalMs }) => {
      const [own, all] = [selfMs, totalMs].map((ms) => (ms / toggles).toFixed(4).padStart(9))
      return `${own} own ${all} all  ${where}`
    })
}
