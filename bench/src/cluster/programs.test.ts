import { runToEnd } from '@batti/kit/node/testing'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a program that never starts properly is stopped with the caller', async () => {
  const programs = JSON.stringify(join(import.meta.dirname, 'programs.ts'))
  const script = `
    import { startProgram } from ${programs}
    const { process: child } = startProgram('hangs', process.execPath, ['-e', 'setTimeout(() => {}, 3_600_000)'])
    console.log(child.pid)
    process.exit(1)`
  const { stdout } = runToEnd(process.execPath, ['--input-type=module', '-e', script])
  const pid = Number(stdout.trim())
  expect(pid).toBeGreaterThan(0)
  await expect.poll(() => isThere(pid)).toBe(false)
})
