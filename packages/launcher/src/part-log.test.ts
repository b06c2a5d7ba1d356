import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPartLog } from './part-log.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batti-part-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')

test('a long log is put aside while its part runs, between two lines, and only the newest two are kept', () => {
  const log = openPartLog(folder, 'api', 20)
  for (const text of ['first line\n', 'half ', 'a line\n', 'third line\n', 'fourth line\n'])
    log.write(Buffer.from(text))
  log.end()
  expect(textOf('api.log.old')).toBe('third line\n')
  expect(textOf('api.log')).toBe('fourth line\n')
})

test('a long log that cannot be put aside, as on a full disk, goes on when it can, and ends nobody', () => {
  const log = openPartLog(folder, 'api', 20)
  log.write(Buffer.from('the first long line\n'))
  mkdirSync(join(folder, 'api.log.old'))
  log.write(Buffer.from('lost\n'))
  rmSync(join(folder, 'api.log.old'), { recursive: true })
  log.write(Buffer.from('after that\n'))
  expect([textOf('api.log.old'), textOf('api.log')]).toEqual(['the first long line\n', 'after that\n'])
  mkdirSync(join(folder, 'broker.log.old'))
  const other = openPartLog(folder, 'broker', 2)
  for (const text of ['one\n', 'two\n']) other.write(Buffer.from(text))
  other.end()
  log.end()
})

test('a log that cannot be made yet, as on a full disk, keeps no part from running, and is made when it can', () => {
  writeFileSync(join(folder, 'logs'), '')
  const log = openPartLog(join(folder, 'logs'), 'api')
  log.write(Buffer.from('lost\n'))
  rmSync(join(folder, 'logs'))
  log.write(Buffer.from('after that\n'))
  log.end()
  expect(textOf('logs/api.log')).toBe('after that\n')
})

test('the next start goes on where it was', () => {
  for (const text of ['one\n', 'two\n']) {
    const log = openPartLog(folder, 'api')
    log.write(Buffer.from(text))
    log.end()
  }
  expect(textOf('api.log')).toBe('one\ntwo\n')
})

test('what a part still says after its end goes into no other file', () => {
  const ended = openPartLog(folder, 'api')
  ended.write(Buffer.from('in time\n'))
  ended.end()
  // Takes the number that has become free.
  const other = openPartLog(folder, 'broker')
  other.write(Buffer.from('in its own file\n'))
  ended.write(Buffer.from('too late\n'))
  ended.end()
  other.end()
  expect(textOf('broker.log')).toBe('in its own file\n')
  expect(textOf('api.log')).toBe('in time\n')
})
