/**
 * `node bench/src/profile-toggle.ts [PER_SECOND] [SECONDS]`: where a toggle's time goes in each part of the product.
 * Prints the hottest functions; the profiles themselves stay in bench/results/profiles for a browser's DevTools.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { hotspots, type CpuProfile, type Hotspot } from './cpu-profile.ts'
import { fillProduct } from './fill-product.ts'
import { cpuMs } from './process-usage.ts'
import { startProduct } from './product.ts'
import type { Latency } from './target.ts'

const [perSecond = 300, seconds = 20] = process.argv.slice(2).map(Number)
const folder = join(import.meta.dirname, '../results/profiles')
const shown = 45

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const product = await startProduct({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=500` })
const names = new Map(Object.entries(product.pids).map(([name, pid]) => [String(pid), name]))
const { target } = await fillProduct(product, { users: 10, boards: 100 })
const load = startChild('./load-generator.ts')
await load.ask({ do: 'connect', target })
const before = new Map(Object.values(product.pids).map((pid) => [pid, cpuMs(pid) ?? 0]))
const latency = await load.ask<Latency>({ do: 'toggle', perSecond, seconds })
await load.ask({ do: 'settle', withinMs: 10_000 })
console.log(
  `${latency.done} toggles at ${perSecond}/s: p50 ${latency.p50.toFixed(2)} ms, p99 ${latency.p99.toFixed(1)} ms`
)
for (const [name, pid] of Object.entries(product.pids)) {
  const spent = (cpuMs(pid) ?? 0) - (before.get(pid) ?? 0)
  console.log(`${name}: ${(spent / latency.done).toFixed(3)} ms CPU a toggle`)
}
await load.stop()
await product.stop()

for (const file of await readdir(folder)) {
  const name = names.get(file.split('.').find((piece) => names.has(piece)) ?? '') ?? ''
  if (name === '' || name === 'boards') continue
  const spots = hotspots(JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile)
  const idle = new Set(['(idle)', '(root)', '(program)'])
  console.log(`\n${name} (${file}): by its own time`)
  print(spots.filter(({ where }) => !idle.has(where)).toSorted((a, b) => b.selfMs - a.selfMs))
  console.log(`\n${name}: our own functions, with what they called`)
  print(spots.filter(({ where }) => /apps\/|packages\//.test(where)).toSorted((a, b) => b.totalMs - a.totalMs))
}

function print(spots: readonly Hotspot[]): void {
  for (const { where, selfMs, totalMs } of spots.slice(0, shown)) {
    console.log(
      `${(selfMs / latency.done).toFixed(4).padStart(9)} own ${(totalMs / latency.done).toFixed(4).padStart(9)} all  ${where}`
    )
  }
}
