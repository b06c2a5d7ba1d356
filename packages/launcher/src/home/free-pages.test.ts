import { runToEnd } from '@batti/kit/node/testing'
import { expect, test } from 'vitest'

const fragmented = `
  import { returnFreePages } from './free-pages.ts'
  let buffers = Array.from({ length: 200_000 }, () => Buffer.allocUnsafeSlow(300))
  buffers = buffers.filter((_, index) => index % 50 === 0)
  gc()
  const before = process.memoryUsage.rss()
  const made = await returnFreePages()
  console.log(JSON.stringify({ made, freedMiB: (before - process.memoryUsage.rss()) / 2 ** 20, kept: buffers.length }))`

const isGlibc = JSON.stringify(process.report.getReport()).includes('glibcVersionRuntime')

test('free memory between used blocks is returned to the system if the C library is glibc', () => {
  const args = ['--expose-gc', '--input-type=module-typescript', '--eval', fragmented]
  const { stdout, stderr } = runToEnd(process.execPath, args, { cwd: import.meta.dirname })
  expect(stderr).toBe('')
  const { made, freedMiB } = JSON.parse(stdout)
  expect(made).toBe(isGlibc)
  if (isGlibc) expect(freedMiB).toBeGreaterThan(30)
})
