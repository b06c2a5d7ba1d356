import { spawnSync } from 'node:child_process'
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
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const pid = Number(stdout.trim())
  expect(pid).toBeGreaterThan(0)
  await expect.poll(() => isThere(pid)).toBe(false)
})
