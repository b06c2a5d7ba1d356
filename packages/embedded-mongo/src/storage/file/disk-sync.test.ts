import { testFolder } from '@batti/kit/node/testing'
import { closeSync, fstatSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDiskSync, type DiskSync } from './disk-sync.ts'

let folder: string
let file: string
let underWay: ((error: Error | null) => void)[]
let disk: DiskSync
beforeEach(() => {
  folder = testFolder('sync')
  file = join(folder, 'log')
  writeFileSync(file, 'a log')
  underWay = []
  disk = createDiskSync(file, (_, done) => void underWay.push(done))
})
afterEach(() => {
  disk.close()
})
/** Requests a sync and reports how it ended. */
function ask(): () => string {
  let state = 'waiting'
  disk.synced().then(
    () => (state = 'synced'),
    (error: Error) => (state = error.message)
  )
  return () => state
}
const turn = (): Promise<unknown> => new Promise(setImmediate)

it('combines all requests made during a sync into the next one', async () => {
  const asked = [ask(), ask(), ask()]
  const states = (): string[] => asked.map((state) => state())
  expect(underWay).toHaveLength(1)
  underWay[0]?.(null)
  await turn()
  // The first sync may not cover what was written after it began.
  expect(states()).toEqual(['synced', 'waiting', 'waiting'])
  expect(underWay).toHaveLength(2)
  underWay[1]?.(null)
  await turn()
  expect(states()).toEqual(['synced', 'synced', 'synced'])
  expect(underWay).toHaveLength(2)
})

it('trusts no sync after one that failed', async () => {
  const first = ask()
  const second = ask()
  underWay[0]?.(new Error('EIO'))
  await turn()
  expect(first()).toBe('EIO')
  underWay[1]?.(null)
  await turn()
  expect(second()).toBe('EIO')
})

it('closes the file at once when it is idle, and not during a sync', async () => {
  let descriptor = -1
  const open = () =>
    createDiskSync(file, (used, done) => {
      descriptor = used
      underWay.push(done)
    })
  const { ino } = statSync(file)
  // A closed descriptor may be another file's by now.
  const isOpen = (): boolean => {
    try {
      return fstatSync(descriptor).ino === ino
    } catch {
      return false
    }
  }
  const idle = open()
  const ended = idle.synced()
  underWay.pop()?.(null)
  await ended
  expect(isOpen()).toBe(true)
  idle.close()
  expect(isOpen()).toBe(false)

  const busy = open()
  const last = busy.synced()
  busy.close()
  expect(isOpen()).toBe(true)
  underWay.pop()?.(null)
  expect(isOpen()).toBe(false)
  await last
})

it('begins with what a killed process left unsynced, and is refused where that fails', () => {
  // This device takes everything and has no disk to sync to.
  expect(() => createDiskSync('/dev/null')).toThrow(expect.objectContaining({ syscall: 'fdatasync' }))
})

it('syncs a last time when it is closed', async () => {
  let descriptor = -1
  const other = createDiskSync(file, (used, done) => {
    descriptor = used
    done(null)
  })
  await other.synced()
  closeSync(descriptor)
  expect(() => other.close()).toThrow(expect.objectContaining({ syscall: 'fdatasync' }))
})

it('really syncs a file, and reports that it does not exist', async () => {
  const real = createDiskSync(file)
  await real.synced()
  real.close()
  expect(() => createDiskSync(join(folder, 'none'))).toThrow(/ENOENT/)
})
