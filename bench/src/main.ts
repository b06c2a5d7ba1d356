/**
 * `npm run bench [-- NAME ...] [--quick]`: measures the product and its baseline in the same run, prints tables and writes
 * `bench/results/NAME.json` and `.md`. Without a name it runs all benchmarks.
 * `npm run bench -- profile`: profiles a toggle by function.
 * `npm run bench -- database --differ [OPERATIONS] [SEED]`: compares random operations on the embedded database and a reference.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { benchmarks } from './benchmarks.ts'
import { profileToggle } from './profile-toggle.ts'
import { isMet, markdownTable, textTable } from './figures/report.ts'

const args = process.argv.slice(2)
const quick = args.includes('--quick')
const names = args.filter((arg) => !arg.startsWith('-'))
const unknown =
  names.find((name) => !Object.hasOwn(benchmarks, name)) ?? args.find((arg) => arg.startsWith('-') && arg !== '--quick')
const results = join(import.meta.dirname, '../results')

const whatThereIs = `There are: ${Object.keys(benchmarks).join(', ')}, profile; --quick measures less.`

if (args.includes('--help')) {
  console.log(`npm run bench [-- NAME ...] [--quick]: all benchmarks, or those that are named. ${whatThereIs}`)
} else if (args[0] === 'database' && args[1] === '--differ') {
  const differ = join(import.meta.dirname, '../../packages/embedded-mongo/scripts/differ.ts')
  process.exitCode = spawnSync(process.execPath, [differ, ...args.slice(2)], { stdio: 'inherit' }).status ?? 1
} else if (args[0] === 'profile') {
  await profileToggle({ perSecond: 100, seconds: 20, say: (line) => console.log(line) })
} else if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}. ${whatThereIs}`)
  process.exitCode = 1
} else {
  await mkdir(results, { recursive: true })
  for (const [name, measure] of Object.entries(benchmarks)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.error(`${name} …`)
    const report = await measure({ quick, say: (line) => console.error(`  ${line}`) })
    const machine = {
      node: process.version,
      cpu: cpus()[0]?.model ?? '',
      cpus: cpus().length,
      memoryGib: Math.round(totalmem() / 2 ** 30)
    }
    await writeFile(
      join(results, `${name}.json`),
      `${JSON.stringify({ ...report, machine, at: new Date().toISOString() }, null, 2)}\n`
    )
    await writeFile(join(results, `${name}.md`), `${markdownTable(report)}\n`)
    console.log(textTable(report))
    if (report.rows.some((row) => isMet(row) === false)) process.exitCode = 2
  }
}
