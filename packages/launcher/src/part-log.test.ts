import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

test('the next start goes on where it was', () => {
  for (const text of ['one\n', 'two\n']) {
    const log = openPartLog(folder, 'api')
    log.write(Buffer.from(text))
    log.end()
  }
  expect(textOf('api.log')).toBe('one\ntwo\n')
})
