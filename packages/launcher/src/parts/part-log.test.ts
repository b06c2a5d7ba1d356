import { testFolder } from '@batti/kit/node/testing'
import fs, { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { messageOf } from '@batti/kit/message-of'
import { openPartLog } from './part-log.ts'

let folder = ''
beforeEach(() => {
  folder = testFolder('part-log')
})
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')

test('a long log is rotated while its part runs, between two lines, and only the newest two are kept', () => {
  const log = openPartLog(folder, 'api', { maxBytes: 20 })
  for (const text of ['first line\n', 'half ', 'a line\n', 'third line\n', 'fourth line\n'])
    log.write(Buffer.from(text))
  log.end()
  expect(textOf('api.log.old')).toBe('third line\n')
  expect(textOf('api.log')).toBe('fourth line\n')
})

test('a long log that cannot be rotated, as on a full disk, is rotated later, and no part ends because of it', () => {
  const log = openPartLog(folder, 'api', { maxBytes: 20 })
  log.write(Buffer.from('the first long line\n'))
  mkdirSync(join(folder, 'api.log.old'))
  log.write(Buffer.from('lost\n'))
  rmSync(join(folder, 'api.log.old'), { recursive: true })
  log.write(Buffer.from('after that\n'))
  expect(textOf('api.log.old')).toBe('the first long line\n')
  expect(textOf('api.log')).toMatch(/^\{.*"lostLines":1,.*\}\nafter that\n$/)
  mkdirSync(join(folder, 'broker.log.old'))
  const other = openPartLog(folder, 'broker', { maxBytes: 2 })
  for (const text of ['one\n', 'two\n']) other.write(Buffer.from(text))
  other.end()
  log.end()
})

test('a log that cannot be created, as on a full disk, prevents no part from running, and is created later', () => {
  writeFileSync(join(folder, 'logs'), '')
  const log = openPartLog(join(folder, 'logs'), 'api')
  log.write(Buffer.from('lost\n'))
  rmSync(join(folder, 'logs'))
  log.write(Buffer.from('after that\n'))
  log.end()
  expect(textOf('logs/api.log')).toMatch(/^\{.*"lostLines":1,.*\}\nafter that\n$/)
})

test('a disk that fills up leaves half a line; missing output is reported on a line of its own', () => {
  const { writeSync } = fs
  let left = 12
  fs.writeSync = ((file: number, text: Buffer) => {
    if (left === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const written = writeSync(file, text.subarray(0, left))
    left -= written
    return written
  }) as typeof writeSync
  syncBuiltinESMExports()
  try {
    const log = openPartLog(folder, 'api')
    for (const text of ['first\n', 'second\nthird\n', 'fourth\n', 'fifth\nsixth\n']) log.write(Buffer.from(text))
    left = 1000
    for (const text of ['seventh\n', 'eighth\n']) log.write(Buffer.from(text))
    log.end()
  } finally {
    fs.writeSync = writeSync
    syncBuiltinESMExports()
  }
  const [first, half, note = '', ...rest] = textOf('api.log').split('\n')
  expect([first, half, ...rest]).toEqual(['first', 'second', 'seventh', 'eighth', ''])
  expect(JSON.parse(note)).toMatchObject({ lostLines: 5 })
})

test('the next start appends to it', () => {
  for (const text of ['one\n', 'two\n']) {
    const log = openPartLog(folder, 'api')
    log.write(Buffer.from(text))
    log.end()
  }
  expect(textOf('api.log')).toBe('one\ntwo\n')
})

test('output of a part after its end goes into no other file', () => {
  const ended = openPartLog(folder, 'api')
  ended.write(Buffer.from('in time\n'))
  ended.end()
  // Takes the file descriptor that has become free.
  const other = openPartLog(folder, 'broker')
  other.write(Buffer.from('in its own file\n'))
  ended.write(Buffer.from('too late\n'))
  ended.end()
  other.end()
  expect(textOf('broker.log')).toBe('in its own file\n')
  expect(textOf('api.log')).toBe('in time\n')
})

test('reports why output is lost, as on a disk that has become read-only', () => {
  writeFileSync(join(folder, 'logs'), '')
  const reasons: string[] = []
  const log = openPartLog(join(folder, 'logs'), 'api', { onLoss: (error) => void reasons.push(messageOf(error)) })
  log.write(Buffer.from('lost\n'))
  expect(reasons).toEqual([expect.stringMatching(/^(EEXIST|ENOTDIR)/)])
  rmSync(join(folder, 'logs'))
  log.write(Buffer.from('after that\n'))
  log.end()
  expect(reasons).toHaveLength(1)
})
