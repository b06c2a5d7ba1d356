import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hourMs } from '@batti/kit/durations'
import { testFolder } from '@batti/kit/node/testing'
import { expect, test } from 'vitest'
import { createDiskFiles } from './files.ts'
import { createNotedFiles } from './noted-files.ts'

function notedFiles() {
  const root = testFolder('noted')
  const notes = join(root, 'notes')
  const noted = createNotedFiles(createDiskFiles(root), notes)
  return {
    ...noted,
    root,
    notesLeft: () => readdirSync(notes),
    later: () => Date.now() + hourMs,
    has: (key: string) => existsSync(join(root, key))
  }
}

test('a stored file that no record has named after any request is removed, with its note', async () => {
  const { root, files, settleNotes, has, later, notesLeft } = notedFiles()
  writeFileSync(join(root, 'image'), 'an image')
  await files.put('images/named.webp', Buffer.from('one'), 'image/webp')
  await files.put('images/forgotten.webp', Buffer.from('two'), 'image/webp')
  await files.putFile('firmware/1.bin', join(root, 'image'), 'application/octet-stream')
  const isNamed = async (key: string) => key === 'images/named.webp'
  await settleNotes(isNamed, Date.now())
  expect(['images/named.webp', 'images/forgotten.webp', 'firmware/1.bin'].map(has)).toEqual([true, true, true])
  await settleNotes(isNamed, later())
  expect(['images/named.webp', 'images/forgotten.webp', 'firmware/1.bin'].map(has)).toEqual([true, false, false])
  expect(notesLeft()).toEqual([])
})

test('a file is noted before it is stored', async () => {
  const { files, notesLeft } = notedFiles()
  await expect(files.putFile('firmware/1.bin', 'nowhere', 'application/octet-stream')).rejects.toThrow('ENOENT')
  expect(notesLeft()).toEqual(['firmware~1.bin'])
})

test('while records cannot be read everything is kept', async () => {
  const { files, settleNotes, has, later, notesLeft } = notedFiles()
  await files.put('images/a.webp', Buffer.from('one'), 'image/webp')
  await expect(settleNotes(() => Promise.reject(new Error('no database')), later())).rejects.toThrow('no database')
  expect([has('images/a.webp'), notesLeft()]).toEqual([true, ['images~a.webp']])
})

test('a file that could not be removed is removed later', async () => {
  const { root, files, settleNotes, has, later, notesLeft } = notedFiles()
  // What stands there is no file, which the disk refuses to remove.
  mkdirSync(join(root, 'images/a.webp'), { recursive: true })
  await expect(files.remove('images/a.webp')).rejects.toThrow()
  rmdirSync(join(root, 'images/a.webp'))
  writeFileSync(join(root, 'images/a.webp'), 'one')
  await settleNotes(() => Promise.resolve(false), later())
  expect([has('images/a.webp'), notesLeft()]).toEqual([false, []])
})
