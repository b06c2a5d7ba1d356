import { runToEnd } from '@batti/kit/node/testing'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadProgram } from './load-program.ts'

let folder = ''
let program = ''
let code = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batti-'))
  program = join(folder, 'program.cjs')
  code = `${program}.code`
  writeFileSync(program, `exports.double = (n) => 2 * n // ${'-'.repeat(2000)}`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a process that loads the program and keeps its code. Returns when the code was written, and under which number of file. */
function start(flags: readonly string[] = []): { ino: number; mtimeMs: number } | undefined {
  const module = JSON.stringify(join(import.meta.dirname, 'load-program.ts'))
  const script = `const { loadProgram } = await import(${module})
    const { exports, keepCode } = await loadProgram(new URL(${JSON.stringify(pathToFileURL(program).href)}))
    keepCode()
    console.log(exports.double(21))`
  const { stdout, stderr } = runToEnd(process.execPath, [...flags, '--input-type=module', '-e', script])
  expect([stdout, stderr]).toEqual(['42\n', ''])
  const written = statSync(code, { throwIfNoEntry: false })
  return written?.isFile() === true ? { ino: written.ino, mtimeMs: written.mtimeMs } : undefined
}

test('the next start uses the code that a start has kept', () => {
  const first = start()
  expect(first).toBeDefined()
  expect(start()).toEqual(first)
})

test('code that was kept under other flags of V8 is replaced', () => {
  const first = start()
  const second = start(['--optimize-for-size'])
  expect(second).not.toEqual(first)
  expect(start(['--optimize-for-size'])).toEqual(second)
})

test.each([
  [
    'changed',
    () =>
      writeFileSync(
        code,
        readFileSync(code).map((byte, at) => (at === 600 ? byte ^ 1 : byte))
      )
  ],
  ['cut', () => truncateSync(code, 600)],
  ['empty', () => truncateSync(code)]
])('%s code is not used, but replaced', (_damage, damage) => {
  start()
  damage()
  const damaged = statSync(code)
  const replaced = start()
  expect(replaced).not.toEqual({ ino: damaged.ino, mtimeMs: damaged.mtimeMs })
  expect(start()).toEqual(replaced)
})

test('a program starts where its code cannot be kept', () => {
  mkdirSync(code)
  expect(start()).toBeUndefined()
})

test('bundles that are removed while a home starts are not replaced by its code alone', async () => {
  const { keepCode } = await loadProgram(pathToFileURL(program))
  rmSync(folder, { recursive: true })
  keepCode()
  expect(existsSync(folder)).toBe(false)
})

test('a program is strict, and requires files that require it', async () => {
  writeFileSync(join(folder, 'other.cjs'), 'exports.name = require("./program.cjs").name + "s"')
  writeFileSync(
    program,
    `exports.isStrict = (function () { return this === undefined })()
    exports.name = 'board'
    exports.other = () => require('./other.cjs')`
  )
  const { exports } = await loadProgram<{ isStrict: boolean; other(): object }>(pathToFileURL(program))
  expect(exports.isStrict).toBe(true)
  expect(exports.other()).toEqual({ name: 'boards' })
})

test('a source is imported as Node does', async () => {
  writeFileSync(join(folder, 'source.ts'), 'export const three: number = 3')
  const { exports, keepCode } = await loadProgram(pathToFileURL(join(folder, 'source.ts')))
  keepCode()
  expect(exports).toMatchObject({ three: 3 })
})
