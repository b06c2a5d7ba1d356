import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']

/** Installs packages once in a folder outside of the source tree. Returns false when that is impossible. */
export function hasPackages(folder: string, packages: readonly string[]): boolean {
  const installed = join(folder, 'installed.json')
  const wanted = JSON.stringify(packages)
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return true
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  if (spawnSync('npm', ['install', ...quietly, ...packages], { cwd: folder, stdio: 'inherit' }).status !== 0)
    return false
  writeFileSync(installed, wanted)
  return true
}
