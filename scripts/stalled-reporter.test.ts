import { runToEnd } from '@batti/kit/node/testing'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { rootDir, vitest } from './run-command.ts'

/**
 * Runs one test file of this content, with a reporter that waits for five seconds: from when the file `silent` is there,
 * because a slow machine may need longer to start a test. `look()` is one look of the reporter.
 */
function run(content: string, others = '') {
  const scratch = join(rootDir, 'node_modules/.cache/tests')
  mkdirSync(scratch, { recursive: true })
  const root = mkdtempSync(join(scratch, 'stalled-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const reporter = JSON.stringify(join(import.meta.dirname, 'stalled-reporter.ts'))
  const silent = JSON.stringify(join(root, 'silent'))
  const config = `import { existsSync, writeFileSync } from 'node:fs'
    const { setInterval } = globalThis
    let look
    globalThis.setInterval = (tick, ms, ...args) => {
      if (ms !== 500) return setInterval(tick, ms, ...args)
      look = tick
      return setInterval(() => existsSync(${silent}) && look(), ms)
    }
    const fallSilent = () => writeFileSync(${silent}, '')
    export default { test: {
      include: ['one.test.js'], exclude: [], testTimeout: 3000,
      reporters: [[${reporter}, { afterMs: 5000 }], ${others}]
    } }`
  writeFileSync(join(root, 'vitest.config.ts'), config)
  writeFileSync(
    join(root, 'one.test.js'),
    `import { spawnSync } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    import { it } from 'vitest'
    const fallSilent = () => writeFileSync(${silent}, '')
    ${content}`
  )
  return runToEnd(process.execPath, [...vitest, 'run', '--root', root], { cwd: root })
}
const told = 'not passed: one.test.js: nothing was heard for 5 s\n'

it('names a file that blocks its worker, and ends the run', () => {
  const { signal, stdout } = run("it('spins', () => { fallSilent(); for (;;); })")
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain(told)
})

it('shows the process that a file waits for', () => {
  const { signal, stdout } = run("it('waits', () => spawnSync('sh', ['-c', 'touch silent; sleep 100']))")
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain('sleep 100')
  expect(stdout).toContain(told)
})

it('names the file after which nothing came', () => {
  const hangs = '{ onTestModuleEnd: () => { fallSilent(); return new Promise(() => {}) } }'
  const { signal, stdout } = run("it('passes', () => {})", hangs)
  expect(signal).toBe('SIGKILL')
  expect(stdout).toContain(told.replace('one', 'what followed one'))
})

it('leaves a run alone whose tests go on', () => {
  const looksOften = '{ onTestCaseReady: () => { for (let looks = 0; looks < 9; looks += 1) look() } }'
  const { status, stdout } = run('for (let i = 0; i < 16; i += 1) it(`${i}`, () => {})', looksOften)
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})
