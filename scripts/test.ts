/**
 * `npm test [-- PATTERN or vitest's options]`: runs all tests of the product, including browser tests.
 * The last line is only `N passed, N failed`; skipped tests count as failed.
 * `npm test -- --late [PATTERN]` runs them with delayed socket data, see late-bytes.ts; `--stops` stops their processes at
 * random, see random-stops.ts.
 */
import { minuteMs } from '@batti/kit/durations'
import { isRecord, parseJson } from '@batti/kit/json'
import { messageOf } from '@batti/kit/message-of'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getBrowser } from './get-browser.ts'
import { stopAtRandom } from './random-stops.ts'
import { rootDir, runCommand, vitest } from './run-command.ts'
import { summarize, summaryLine } from './test-summary.ts'

/** Far more than a slow machine needs to list the tests, or to build the web app. */
const hangsAfterMs = 5 * minuteMs

if (process.argv.includes('--help')) {
  console.log(`npm test [-- PATTERN or vitest's options]: all tests, or those of the files whose path has PATTERN in it.
  --late   what sockets bring comes late, as on a bad day
  --stops  processes stand still now and then, as on a machine with too much to do
For vitest's options: npx vitest --help`)
  process.exit()
}

const isLate = process.argv.includes('--late')
const hasStops = process.argv.includes('--stops')
const args = process.argv.slice(2).filter((arg) => arg !== '--late' && arg !== '--stops')
const scratch = await mkdtemp(join(tmpdir(), 'batti-test-'))

try {
  const env = { ...compiledOnce(), ...((await runsWholeSystem()) ? await prepareWholeSystem() : {}) }
  const reportFile = join(scratch, 'report.json')
  const endStops = hasStops ? stopAtRandom() : null
  const { code } = await runCommand(
    process.execPath,
    [
      ...vitest,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(import.meta.dirname, 'not-passed-reporter.ts')}`,
      `--reporter=${join(import.meta.dirname, 'stalled-reporter.ts')}`,
      `--outputFile.json=${reportFile}`,
      ...args
    ],
    { env: isLate ? { ...env, ...lateBytes() } : env, output: 'show' }
  )
  endStops?.()
  const summary = summarize(await readFile(reportFile, 'utf8').catch(() => null), code)
  console.log(`\n${summaryLine(summary)}`)
  process.exitCode = summary.failed === 0 ? 0 : 1
} catch (error) {
  console.error(messageOf(error))
  console.log('\n0 passed, 1 failed')
  process.exitCode = 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}

/** Shares a compile cache, because each test file has its own process, which would compile the same libraries again. */
function compiledOnce(): Record<string, string> {
  return { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(rootDir, 'node_modules/.cache/tests') }
}

/** Preloads late-bytes.ts in all child processes of Node. */
function lateBytes(): Record<string, string> {
  const file = pathToFileURL(join(import.meta.dirname, 'late-bytes.ts'))
  return { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${file.href}`.trim() }
}

/** Tells whether the arguments select a file of the e2e projects. */
async function runsWholeSystem(): Promise<boolean> {
  const listFile = join(scratch, 'files.json')
  const list = [...vitest, 'list', '--filesOnly', `--json=${listFile}`, ...args]
  // A list that hangs at its exit is written nevertheless.
  const { text } = await runCommand(process.execPath, list, { timeoutMs: hangsAfterMs })
  const listed = parseJson(await readFile(listFile, 'utf8').catch(() => 'null'))
  if (!Array.isArray(listed)) throw new Error(`vitest could not list the tests:\n${text.trim()}`)
  return listed.some((file: unknown) => isRecord(file) && String(file['projectName']).startsWith('e2e'))
}

async function prepareWholeSystem(): Promise<Record<string, string>> {
  const say = (line: string): void => console.log(line)
  const browser = await getBrowser(say)
  say(`Browser: ${browser}`)
  const build = await runCommand('turbo', ['run', 'build', '--output-logs=errors-only'], {
    output: 'show',
    timeoutMs: hangsAfterMs
  })
  if (build.code === 124) throw new Error(`The web app was not built in ${hangsAfterMs / minuteMs} minutes.`)
  if (build.code !== 0) throw new Error('The web app does not build: see above.')
  return { CHROME_PATH: browser }
}
