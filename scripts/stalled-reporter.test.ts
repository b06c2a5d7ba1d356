import { runToEnd } from '@batti/kit/node/testing'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { rootDir, vitest } from './run-command.ts'

/** Runs one test file of this content, with a reporter that waits for five seconds. */
function run(content: string, others = '') {
  const scratch = join(rootDir, 'node_modules/.cache/tests')
  mkdirSync(scratch, { recursive: true })
  const root = mkdtempSync(join(scratch, 'stalled-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const reporter = JSON.stringify(join(import.meta.dirname, 'stalled-reporter.ts'))
  const config = `export default { test: {
      include: ['one.test.js'], exclude: [], testTimeout: 3000,
      reporters: [[${reporter}, { afterMs: 5000 }], ${others}]
    } }`
  writeFileSync(join(root, 'vitest.config.ts'), config)
  writeFileSync(
    join(root, 'one.test.js'),
    `import { spawnSync } from 'node:child_process'\nimport { it } from 'vitest'\n${content}`
  )
  return runToEnd(process.execPath, [...vitest, 'run', '--root', root])
}
const told = 'not passed: one.test.js: nothing was heard for 5 s\n'

it('names a file that blocks its worker, and ends the run', () => {
  const { signal, stdout } = run("it('spins', () => { for (;;); })")
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain(told)
})

it('shows the process that a file waits for', () => {
  const { signal, stdout } = run("it('waits', () => spawnSync('sleep', ['100']))")
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain('sleep 100')
  expect(stdout).toContain(told)
})

it('names the file after which nothing came', () => {
  const { signal, stdout } = run("it('passes', () => {})", '{ onTestModuleEnd: () => new Promise(() => {}) }')
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain(told.replace('one', 'what followed one'))
})

it('leaves a run alone whose tests go on', () => {
  const { status, stdout } = run(
    'for (let i = 0; i < 16; i += 1) it(`${i}`, () => new Promise((done) => setTimeout(done, 400)))'
  )
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})
