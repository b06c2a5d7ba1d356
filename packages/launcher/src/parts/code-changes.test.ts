import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { until } from '@batti/kit/testing'
import { codeFolders, watchCode } from './code-changes.ts'
import type { Part } from './parts.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'batti-code-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'node_modules/@batti'), { recursive: true })
  workspace('apps/api', { '@batti/kit': '0.0.0', zod: '4.0.0' })
  workspace('apps/broker', {})
  workspace('packages/kit', {})
})

function workspace(folder: string, dependencies: Record<string, string>): void {
  mkdirSync(join(root, folder, 'src'), { recursive: true })
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ dependencies }))
  for (const file of ['main.ts', 'other.ts']) writeFileSync(join(root, folder, 'src', file), '')
  symlinkSync(join(root, folder), join(root, 'node_modules/@batti', folder.slice(folder.indexOf('/') + 1)))
}

const part = (name: 'api' | 'broker', isWatched = true): Part => ({
  name,
  title: name,
  program: join(root, 'apps', name, 'src/main.ts'),
  nodeArgs: [],
  args: [],
  cwd: root,
  env: {},
  ready: { url: '' },
  isWatched
})

/** Watches the parts. Returns a write of a file that replaces it as a whole, and resolves with the parts that are told. */
async function watching(...parts: Part[]) {
  const changed: string[] = []
  const end = await watchCode(root, parts, ({ name }) => void changed.push(name))
  onTestFinished(end)
  return async (file: string, expected: number): Promise<string[]> => {
    const whole = join(root, 'draft')
    writeFileSync(whole, `${Math.random()}`)
    renameSync(whole, join(root, file))
    await until('the change', () => changed.length >= expected)
    return changed.splice(0).toSorted()
  }
}

test('a file is watched on after it was replaced as a whole, as many editors and git do', async () => {
  const replace = await watching(part('api'))
  for (let round = 0; round < 3; round += 1) expect(await replace('apps/api/src/other.ts', 1)).toEqual(['api'])
})

test('a part is told of its own code, and of the code of workspaces it depends on', async () => {
  const replace = await watching(part('api'), part('broker'))
  expect(await replace('packages/kit/src/other.ts', 1)).toEqual(['api'])
  expect(await replace('apps/broker/src/main.ts', 1)).toEqual(['broker'])
  expect(codeFolders(root, part('api').program)).toEqual([join(root, 'apps/api/src'), join(root, 'packages/kit/src')])
})

test.each([
  ['a test', true, 'apps/api/src/main.test.ts'],
  ['another file', true, 'apps/api/src/notes.md'],
  ['code of a part that is not watched', false, 'apps/api/src/main.ts']
])('%s starts nothing anew', async (_what, isWatched, file) => {
  const replace = await watching(part('api', isWatched), part('broker'))
  await replace(file, 0)
  expect(await replace('apps/broker/src/main.ts', 1)).toEqual(['broker'])
})
