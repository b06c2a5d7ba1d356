import { testFolder } from '@batti/kit/node/testing'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rootDir, runCommand } from './run-command.ts'

it('npm install leaves the lock file as it is, whatever this npm would write differently: `git pull` refuses a changed one', async () => {
  const copy = testFolder('lock')
  const manifests = globSync(['package.json', '*/package.json', '{apps,packages}/*/package.json'], { cwd: rootDir })
  for (const path of [...manifests, '.npmrc']) cpSync(join(rootDir, path), join(copy, path))
  const file = join(copy, 'package-lock.json')
  const lock = JSON.parse(readFileSync(join(rootDir, 'package-lock.json'), 'utf8')) as { packages: object }
  // Every npm removes a package that nothing needs.
  const text = JSON.stringify({
    ...lock,
    packages: { ...lock.packages, 'node_modules/left-over': { version: '1.0.0' } }
  })
  writeFileSync(file, text)
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--offline']
  expect(await runCommand('npm', args, { cwd: copy })).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8') === text).toBe(true)
})
