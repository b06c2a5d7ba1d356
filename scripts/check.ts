/** `npm run check [-- NAME ...]`: the static checks of the code, or those named. All of them run, even after a failure. */
import { availableParallelism } from 'node:os'
import { minuteMs } from '@batti/kit/durations'
import { createSemaphore } from '@batti/kit/semaphore'
import { runCommand } from './run-command.ts'

/** Far more than the longest check needs on a slow machine. */
const hangsAfterMs = 10 * minuteMs

interface Check {
  name: string
  command: string
  args: readonly string[]
  /** Advice after a failure, if the tool's own output gives none. */
  remedy?: string
  /** Matches the irrelevant end of the tool's output. */
  noise?: RegExp
}

const parts = ['apps', 'packages', 'firmware-sim', 'e2e', 'bench', 'scripts']

// On two cores several threads of the type checker take twice as long as one.
const isSmall = availableParallelism() <= 2
const typesAlone = isSmall ? ['--singleThreaded'] : []

// The longest checks first, so that they do not run alone at the end.
const checks: readonly Check[] = [
  {
    name: 'types',
    command: 'turbo',
    args: ['run', 'typecheck', '--continue', '--output-logs=errors-only', ...(isSmall ? ['--', ...typesAlone] : [])]
  },
  { name: 'lint', command: 'oxlint', args: [] },
  { name: 'types-of-scripts', command: 'tsc', args: ['-p', 'scripts', ...typesAlone] },
  {
    name: 'arrows',
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', ...parts],
    // It warns that TypeScript 7 has no JS API, which is why it parses with @swc/core.
    noise: /‼ missing-tsc-transpiler[^]*/
  },
  { name: 'unused-code', command: 'knip', args: ['--no-progress', '--treat-config-hints-as-errors'] },
  {
    name: 'reference',
    command: 'node',
    args: ['packages/contracts/scripts/generate-reference.ts', '--check'],
    remedy: 'Run `npm run generate` and commit docs/reference.'
  },
  { name: 'format', command: 'oxfmt', args: ['--check', '.'], remedy: 'Run `npm run format`.' },
  { name: 'versions', command: 'sherif', args: ['--fail-on-warnings'] },
  { name: 'lock', command: 'node', args: ['scripts/check-lock.ts'] },
  {
    name: 'settings',
    command: 'node',
    args: ['scripts/generate-settings.ts', '--check'],
    remedy: 'Run `npm run generate` and commit docs/settings.md and docker-compose.yml.'
  },
  { name: 'links', command: 'node', args: ['scripts/check-links.ts'] }
]

const asked = process.argv.slice(2)
const unknown = asked.find((word) => checks.every(({ name }) => name !== word))
const whatThereIs = `There are: ${checks.map(({ name }) => name).join(', ')}.`

if (asked.includes('--help')) {
  console.log(`npm run check [-- NAME ...]: all checks, or those that are named. ${whatThereIs}`)
} else if (unknown !== undefined) {
  console.error(`There is no check ${unknown}. ${whatThereIs}`)
  process.exitCode = 1
} else {
  await runAll(asked.length === 0 ? checks : checks.filter(({ name }) => asked.includes(name)))
}

async function runAll(chosen: readonly Check[]): Promise<void> {
  const startedAt = performance.now()
  const inTurn = createSemaphore(Math.min(availableParallelism(), 4))
  const passes = await Promise.all(chosen.map((check) => inTurn.run(() => passesCheck(check))))
  const failed = chosen.filter((_, index) => passes[index] !== true).map(({ name }) => name)
  console.log(
    failed.length === 0
      ? `\n${chosen.length} of ${chosen.length} checks passed in ${secondsSince(startedAt)} s.`
      : `\n${failed.length} of ${chosen.length} checks failed: ${failed.join(', ')}.`
  )
  process.exitCode = failed.length === 0 ? 0 : 1
}

function secondsSince(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}

async function passesCheck({ name, command, args, remedy, noise = /(?!)/ }: Check): Promise<boolean> {
  const since = performance.now()
  const { code, text } = await runCommand(command, args, {
    env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    timeoutMs: hangsAfterMs
  })
  if (code === 0) {
    console.log(`ok    ${name.padEnd(18)} ${secondsSince(since)} s`)
    return true
  }
  console.log(
    `FAIL  ${name}: ${[command, ...args].join(' ')}\n${text.replace(noise, '').trim().replaceAll(/^/gm, '      ')}`
  )
  if (code === 124) console.log(`      It was ended after ${hangsAfterMs / minuteMs} minutes.`)
  else if (remedy !== undefined) console.log(`      ${remedy}`)
  return false
}
