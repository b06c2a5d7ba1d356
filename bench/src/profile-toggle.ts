/**
 * `node bench/src/profile-toggle.ts [PER_SECOND] [SECONDS]`: where a toggle's time goes in each part of the product.
 * Prints the hottest functions; the profiles themselves stay in bench/results/profiles for a browser's DevTools.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.ts'
import { hotspots, type CpuProfile, type Hotspot } from './cpu-profile.ts'
import { fillProduct } from './fill-product.ts'
import { cpuMs } from './process-usage.ts'
import { startProduct } from './product.ts'
import type { Latency } from './target.ts'

const [perSecond = 150, seconds = 20] = process.argv.slice(2).map(Number)
const folder = join(import.meta.dirname, '../results/profiles')
const shown = 40

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const product = await startProduct({
  NODE_OPTIONS: `--import ${new URL('./profiler-preload.ts', import.meta.url).href}`,
  PROFILE_DIR: folder
})
const { target } = await fillProduct(product, { users: 10, boards: 100 })
const load = startChild('./load-generator.ts')
await load.ask({ do: 'connect', target })
await load.ask({ do: 'toggle', perSecond, seconds: 5 })

const parts = Object.entries(product.pids).filter(([name]) => name !== 'boards')
const before = parts.map(([, pid]) => cpuMs(pid) ?? 0)
for (const [, pid] of parts) process.kill(pid, 'SIGUSR2')
const latency = await load.ask<Latency>({ do: 'toggle', perSecond, seconds })
await load.ask({ do: 'settle', withinMs: 10_000 })
const spent = parts.map(([, pid], index) => (cpuMs(pid) ?? 0) - (before[index] ?? 0))
for (const [, pid] of parts) process.kill(pid, 'SIGUSR2')

console.log(
  `${latency.done} toggles at ${perSecond}/s: p50 ${latency.p50.toFixed(2)} ms, p99 ${latency.p99.toFixed(1)} ms`
)
for (const [index, [name, pid]] of parts.entries()) {
  console.log(`\n== ${name}: ${((spent[index] ?? 0) / latency.done).toFixed(3)} ms CPU a toggle`)
  const file = join(folder, `${pid}.cpuprofile`)
  while (!existsSync(file)) await pause(100)
  await pause(500)
  const spots = hotspots(JSON.parse(await readFile(file, 'utf8')) as CpuProfile)
  console.log(`-- ${name}: by its own time, ms a toggle`)
  print(spots.filter(({ where }) => where !== '(idle)').toSorted((a, b) => b.selfMs - a.selfMs))
  console.log(`-- ${name}: with what they called`)
  print(spots.filter(({ where }) => /:\d/.test(where)).toSorted((a, b) => b.totalMs - a.totalMs))
}
await load.stop()
await product.stop()

function print(spots: readonly Hotspot[]): void {
  for (const { where, selfMs, totalMs } of spots.slice(0, shown)) {
    const [own, all] = [selfMs, totalMs].map((ms) => (ms / latency.done).toFixed(4).padStart(9))
    console.log(`${own} own ${all} all  ${where}`)
  }
}
