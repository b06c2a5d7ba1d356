import { dayMs } from '@batti/kit/durations'
import { runToEnd, testFolder, watchDisk } from '@batti/kit/node/testing'
import { createFakeClock } from '@batti/kit/testing'
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  bundleFolder,
  bundleIn,
  causeOf,
  keepBundles,
  keepInUse,
  makeBundles,
  programs,
  removeOldBundles,
  takePlace
} from './bundles.ts'

test('programs are bundled again when a source is changed, added or removed, except a test', () => {
  const root = testFolder('bundles')
  const source = (name: string): string => join(root, 'apps/api/src', name)
  mkdirSync(source('testing'), { recursive: true })
  writeFileSync(source('main.ts'), 'one')
  const first = bundleFolder(root)
  writeFileSync(source('main.test.ts'), 'a test')
  writeFileSync(source('testing/board.ts'), 'for tests')
  expect(bundleFolder(root)).toBe(first)
  utimesSync(source('main.ts'), 1, 1)
  const touched = bundleFolder(root)
  writeFileSync(source('other.ts'), 'two')
  const more = bundleFolder(root)
  expect(new Set([first, touched, more]).size).toBe(3)
  rmSync(source('other.ts'))
  expect(bundleFolder(root)).toBe(touched)
})

test('programs are bundled again in a copy of the project, although its files have the same times', () => {
  const from = testFolder('bundles')
  const [here, there] = [join(from, 'here'), join(from, 'there')]
  mkdirSync(join(here, 'apps/api/src'), { recursive: true })
  writeFileSync(join(here, 'apps/api/src/main.ts'), 'one')
  cpSync(here, there, { recursive: true, preserveTimestamps: true })
  expect(basename(bundleFolder(there))).not.toBe(basename(bundleFolder(here)))
})

test('when bundling fails, the error gives the reason before the position in the code', async () => {
  const root = join(import.meta.dirname, '../../../..')
  const made = makeBundles({ root, folder: join(import.meta.filename, 'made') }, new Date())
  await expect(made).rejects.toThrow(/^Error: E[A-Z]+: .*, mkdir /)
})

test.each([
  ['Error: EACCES: permission denied, mkdir', 'Error: EACCES: permission denied, mkdir\n    at mkdir'],
  [
    'No space left on device',
    'Error: Build failed:\n\nFailed to write file in /x\n\nCaused by:\n    No space left on device\n'
  ]
])('a failed bundling is explained by its cause: %s', (cause, message) => {
  expect(causeOf(new Error(message))).toBe(cause)
})

test('programs take their place when all of them are there and on the disk', async () => {
  const home = testFolder('bundles')
  const [draft, folder] = [join(home, 'draft'), join(home, 'made')]
  const [last = '', ...others] = Object.values(programs).map((source) => bundleIn(draft, source))
  for (const path of [...others, last]) {
    expect(() => takePlace(draft, folder)).toThrow(`${draft} was removed while programs were written to it`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'a program')
  }
  const seen = await watchDisk(() => takePlace(draft, folder))
  expect(seen).toContain(`sync ${last}`)
  expect(seen.at(-1)).toBe(`rename ${draft}`)
})

test('what a killed bundling has left is removed by the next one, however that ends, and a running one goes on', async () => {
  const home = testFolder('bundles')
  const { pid: ended } = runToEnd(process.execPath, ['--version'])
  const [left, running, kept] = [`other-${ended}`, `made-${process.pid}`, 'f00d']
  for (const name of [left, running, kept]) mkdirSync(join(home, name, 'apps'), { recursive: true })
  const hasNoSources = { root: home, folder: join(home, 'made') }
  await expect(makeBundles(hasNoSources, new Date())).rejects.toThrow()
  expect(readdirSync(home).toSorted()).toEqual([running, kept].toSorted())
})

test('old programs are removed, but not those just made, also while the clock is ahead of the disk', () => {
  const home = testFolder('bundles')
  const [made, old, used] = ['made', 'old', 'used'].map((name) => join(home, name)) as [string, string, string]
  for (const folder of [made, old, used]) mkdirSync(folder)
  const ahead = new Date(Date.now() + 8 * dayMs)
  keepBundles(used, ahead)
  removeOldBundles(made, ahead)
  expect(readdirSync(home).toSorted()).toEqual(['made', 'used'])
})

test.runIf(process.platform !== 'win32')('programs that root makes with umask 077 can be started by others', () => {
  const home = testFolder('bundles')
  const module = JSON.stringify(join(import.meta.dirname, 'bundles.ts'))
  const task = JSON.stringify({ root: home, folder: join(home, 'batti/made') })
  const script = `const { makeBundles } = await import(${module}); await makeBundles(${task}, new Date()).catch(() => undefined)`
  const { stderr } = runToEnd('sh', ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, '-e', script])
  expect(stderr).toBe('')
  expect(statSync(join(home, 'batti')).mode & 0o777).toBe(0o755)
})

test('existing programs are kept when nothing can be written', () => {
  const nowhere = join(import.meta.filename, 'made')
  expect(() => keepBundles(nowhere, new Date())).not.toThrow()
})

test('programs that a home has run for weeks are not among the old ones that another start removes', () => {
  const folder = testFolder('bundles')
  const clock = createFakeClock()
  const stop = keepInUse(folder, clock, () => undefined)
  for (let day = 0; day < 30; day += 1) clock.advance(dayMs)
  expect(statSync(folder).mtimeMs).toBe(clock.now())
  stop()
  clock.advance(dayMs)
  expect(statSync(folder).mtimeMs).toBe(clock.now() - dayMs)
})

test('a running home is told once when its programs are removed, and again after they were back', () => {
  const folder = testFolder('bundles')
  const clock = createFakeClock()
  let times = 0
  const stop = keepInUse(folder, clock, () => (times += 1))
  onTestFinished(stop)
  const seen = [() => undefined, () => rmSync(folder, { recursive: true }), () => mkdirSync(folder)].map((change) => {
    change()
    for (let minute = 0; minute < 5; minute += 1) clock.advance(60_000)
    return times
  })
  rmSync(folder, { recursive: true })
  clock.advance(60_000)
  expect([...seen, times]).toEqual([0, 1, 1, 2])
})
