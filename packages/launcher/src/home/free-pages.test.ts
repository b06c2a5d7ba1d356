import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const fragmented = `
  import { returnFreePages } from './free-pages.ts'
  let buffers = Array.from({ length: 200_000 }, () => Buffer.allocUnsafeSlow(300))
  buffers = buffers.filter((_, index) => index % 50 === 0)
  gc()
  const before = process.memoryUsage.rss()
  const made = await returnFreePages()
  console.log(JSON.stringify({ made, freedMiB: (before - process.memoryUsage.rss()) / 2 ** 20, kept: buffers.length }))`

const pagesOfFile = `
  import { openEngine } from '@batti/embedded-mongo/engine'
  import { returnFreePages } from './free-pages.ts'
  const engine = openEngine({ path: process.argv[1], pageCacheBytes: 64 * 2 ** 20 })
  engine.store.writer.exec('CREATE TABLE filler (bytes)')
  for (let row = 0; row < 8000; row += 1) engine.store.writer.run('INSERT INTO filler VALUES (zeroblob(4000))')
  gc()
  const before = process.memoryUsage.rss()
  engine.releaseMemory()
  const made = await returnFreePages()
  console.log(JSON.stringify({ made, freedMiB: (before - process.memoryUsage.rss()) / 2 ** 20 }))
  engine.close()`

const isGlibc = JSON.stringify(process.report.getReport()).includes('glibcVersionRuntime')

/** Runs a program that measures what it returns to the system. At least `least` MiB are expected. */
const expectFreed = (program: string, { least, args = [] }: { least: number; args?: string[] }): void => {
  const node = ['--expose-gc', '--input-type=module-typescript', '--eval', program, '--', ...args]
  const { stdout, stderr } = runToEnd(process.execPath, node, { cwd: import.meta.dirname })
  expect(stderr).toBe('')
  const { made, freedMiB } = JSON.parse(stdout)
  expect(made).toBe(isGlibc)
  if (isGlibc) expect(freedMiB).toBeGreaterThan(least)
}

test('free memory between used blocks is returned to the system if the C library is glibc', () => {
  expectFreed(fragmented, { least: 30 })
})

test('so are the pages of its file that the database has kept', () => {
  expectFreed(pagesOfFile, { least: 20, args: [join(testFolder('pages'), 'batti.db')] })
})
