import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testFolder } from '@batti/kit/node/testing'
import { expect, test } from 'vitest'
import { startApi } from '../../../testing/test-api.ts'
import { removeLeftovers } from './upload-leftovers.ts'

/** Writes files that were last changed an hour ago. */
function writeOld(folder: string, names: readonly string[]): void {
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, name), hourAgo, hourAgo)
  }
}

test('what a killed process was writing is removed when no request can be that old', async () => {
  const folder = testFolder('leftovers')
  writeOld(folder, ['old.upload', 'images/old.webp.1.part', 'images/kept.webp'])
  for (const name of ['new.upload', 'images/new.webp.2.part']) writeFileSync(join(folder, name), 'x')
  await removeLeftovers(folder, Date.now())
  expect(readdirSync(folder).toSorted()).toEqual(['images', 'new.upload'])
  expect(readdirSync(join(folder, 'images')).toSorted()).toEqual(['kept.webp', 'new.webp.2.part'])
})

test('a start removes it from the uploads and from the files that are kept', async () => {
  const data = testFolder('leftovers')
  const leftovers = ['uploads/1.upload', 'files/firmware/1.bin.1.part']
  writeOld(data, leftovers)
  const app = await startApi({ env: { DATA_DIR: data } })
  await expect.poll(() => leftovers.filter((name) => existsSync(join(data, name)))).toEqual([])
  await app.stop()
})
