import { closeSync, mkdirSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { renameDurably, replaceFile, syncTree } from './durable-file.ts'
import { testFolder, watchDisk } from './testing.ts'

let root: string
beforeEach(() => {
  root = testFolder('durable')
})

/** Windows syncs names by itself. */
const folders = (...seen: string[]): string[] => (process.platform === 'win32' ? [] : seen)

it('syncs a file before it is renamed, and then the rename', async () => {
  const path = join(root, 'kept.json')
  writeFileSync(path, 'old')
  const seen = await watchDisk(() => replaceFile(path, 'new', true))
  expect(seen).toEqual([`sync ${path}.new`, `rename ${path}.new`, ...folders(`sync ${root}`)])
  expect(readFileSync(path, 'utf8')).toBe('new')
})

it('syncs a written file before it gets its name, and then the name, without holding up others', async () => {
  const [from, to] = [join(root, 'written'), join(root, 'named')]
  writeFileSync(from, 'new')
  const seen = await watchDisk(() => renameDurably(from, to))
  expect(seen).toEqual([`sync ${from}`, `rename ${from}`, ...folders(`sync ${root}`)])
  expect(readFileSync(to, 'utf8')).toBe('new')
})

it('can skip the syncs, in the same order', async () => {
  const path = join(root, 'kept.json')
  expect(await watchDisk(() => replaceFile(path, 'new', false))).toEqual([`rename ${path}.new`])
})

it('creates the folder of the first file in it', () => {
  const path = join(root, 'not', 'yet', 'kept.json')
  replaceFile(path, 'new', true)
  expect(readFileSync(path, 'utf8')).toBe('new')
})

it.skipIf(process.platform === 'win32')('writes what only its owner may read, and passes by what is no file', () => {
  const path = join(root, 'kept.json')
  replaceFile(path, 'secret', false)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  symlinkSync('nowhere', join(root, 'link'))
  syncTree(root)
})

it('leaves no file open', () => {
  const path = join(root, 'kept.json')
  writeFileSync(path, 'old')
  /** The lowest descriptor that is free. */
  const nextDescriptor = (): number => {
    const file = openSync(path, 'r')
    closeSync(file)
    return file
  }
  const before = nextDescriptor()
  // More often than other threads may open files meanwhile.
  const times = 50
  for (let time = 0; time < times; time += 1) {
    replaceFile(path, 'new', true)
    syncTree(root)
  }
  expect(nextDescriptor()).toBeLessThan(before + times)
})

it('syncs everything below a folder', async () => {
  mkdirSync(join(root, 'below'))
  for (const name of ['one', 'below/two']) writeFileSync(join(root, name), name)
  const seen = await watchDisk(() => syncTree(root))
  expect(seen.toSorted()).toEqual(
    [
      ...['one', 'below/two'].map((name) => `sync ${join(root, name)}`),
      ...folders(`sync ${join(root, 'below')}`, `sync ${root}`)
    ].toSorted()
  )
})
