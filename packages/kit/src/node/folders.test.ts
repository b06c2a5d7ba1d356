import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { linkTarget, makeFolder } from './folders.ts'

const root = mkdtempSync(join(tmpdir(), 'batti-folders-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('makeFolder', () => {
  it('creates missing folders for their owner alone, and keeps existing ones', () => {
    const folder = join(root, 'a', 'b', 'c')
    makeFolder(folder)
    makeFolder(folder)
    expect(statSync(folder).isDirectory()).toBe(true)
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('reports that a file is in the way', () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR')
    expect(() => makeFolder(file)).toThrow('EEXIST')
  })

  it.runIf(process.platform === 'linux')('ends where no folder can be created', () => {
    expect(() => makeFolder('/proc/x/y')).toThrow('ENOENT')
  })
})

it.runIf(process.platform !== 'win32')(
  'a link leads to what it names, be it there or not; nothing else leads anywhere',
  () => {
    symlinkSync('nowhere', join(root, 'link'))
    expect(linkTarget(join(root, 'link'))).toBe(join(root, 'nowhere'))
    for (const path of [root, join(root, 'missing'), import.meta.filename, join(import.meta.filename, 'below')])
      expect(linkTarget(path)).toBeNull()
  }
)
