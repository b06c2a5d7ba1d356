import { runToEnd } from '@batti/kit/node/testing'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rootDir } from './run-command.ts'

interface Manifest {
  scripts: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const manifest = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')) as Manifest

/** Scripts that begin with a program of ours; the others begin with npm's tools. */
const programs = Object.keys(manifest.scripts).filter((name) => manifest.scripts[name]?.startsWith('node '))

/** A machine whose only Node is on PATH; nothing in node_modules/.bin is found. */
let bin: string
beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'batti-node-'))
  symlinkSync(process.execPath, join(bin, process.platform === 'win32' ? 'node.exe' : 'node'))
})
afterAll(() => rmSync(bin, { recursive: true, force: true }))

/** A file to be preloaded, with which Node reports another version. */
function olderNode(version: string): string {
  const file = join(bin, 'older.cjs')
  writeFileSync(file, `Object.defineProperty(process.versions, 'node', { value: '${version}' })`)
  return file
}

/** What `npm run` does on that machine; its Node may report another version. */
function runScript(name: string, args: readonly string[], saysItIs = process.versions.node) {
  const [command = '', ...words] = (manifest.scripts[name] ?? '').split(' ')
  const env = { ...process.env, PATH: bin }
  return runToEnd(command, ['--require', olderNode(saysItIs), ...words, ...args], { cwd: rootDir, env })
}

describe('the Node of the machine', () => {
  it('is used when the package has no build for the platform: npm skips an optional one that cannot be installed', () => {
    expect(manifest.optionalDependencies).toHaveProperty('node')
    expect(manifest.devDependencies).not.toHaveProperty('node')
  })

  it.each(['24.0.0', '26.10.0'])('runs the launcher when it is %s', (version) => {
    const { status, stdout } = runScript('start', ['--help'], version)
    expect(stdout).toContain('Batti on this machine')
    expect(status).toBe(0)
  })

  it.each(programs)('is refused by npm run %s when it is too old', (name) => {
    const { status, stdout, stderr } = runScript(name, ['--help'], '20.20.2')
    expect(stderr).toMatch(/^Batti needs Node 24 or newer, and this is Node 20\.20\.2 \(.+\)\.\n/)
    expect(stderr).toContain('https://nodejs.org')
    expect(stdout).toBe('')
    expect(status).toBe(1)
  })
})

/**
 * Runs the preloaded file from a folder of this name, and then nothing. Before it, `preset` changes what Node says of
 * itself; `agent` is what npm says of itself.
 */
function startIn(
  name: string,
  { preset = [], isInstalled = true, agent }: { preset?: readonly string[]; isInstalled?: boolean; agent?: string } = {}
) {
  const preloaded = join(bin, name, 'scripts/needs-node.cjs')
  mkdirSync(join(bin, name, 'scripts'), { recursive: true })
  copyFileSync(join(rootDir, 'scripts/needs-node.cjs'), preloaded)
  if (isInstalled) mkdirSync(join(bin, name, 'node_modules/@batti/kit'), { recursive: true })
  const env = { ...process.env, ...(agent !== undefined && { npm_config_user_agent: agent }) }
  return runToEnd(process.execPath, [...preset, '--require', preloaded, '--eval', '0'], { env })
}

describe('the folder of the programs', () => {
  it.each(process.platform === 'win32' ? ['#1'] : ['#1', 'new?', 'a*', '10:30', 'a\\b'])(
    'is refused when it is called %s',
    (name) => {
      const { status, stderr } = startIn(name)
      expect(stderr).toMatch(
        /^Batti cannot run in .+, because tools that it needs misread the "[#?*:\\]" in this path\.\n/
      )
      expect(stderr).toContain('none of # ? * : \\ and')
      expect(status).toBe(1)
    }
  )

  it.each(['मेरो घर', "it's 100% (new) [1] {2} & $HOME; `x` ~ ! @ + = ,"])('may be called %s', (name) => {
    expect(startIn(name)).toMatchObject({ status: 0, stderr: '' })
  })

  it('is refused without the packages, with what to do', () => {
    const { status, stderr } = startIn('fresh', { isInstalled: false })
    expect(stderr).toMatch(
      /^The packages of Batti are not installed in .+: run npm install there, and then this again\.\n$/
    )
    expect(status).toBe(1)
  })

  it('is refused where npm has left out the native parts of packages, as it does on an older Node', () => {
    const packages = join(bin, 'partly/node_modules')
    for (const name of ['rolldown', '@rolldown/pluginutils']) mkdirSync(join(packages, name), { recursive: true })
    const { status, stderr } = startIn('partly', { agent: 'npm/9.9.4 node/v18.20.8 linux x64 workspaces/false' })
    expect(stderr).toMatch(/^The packages of Batti are not complete in .+ \(here npm runs on 18\.20\.8\)/s)
    expect(stderr).toContain('run npm install there')
    expect(status).toBe(1)
    mkdirSync(join(packages, '@rolldown/binding-linux-x64-gnu'))
    expect(startIn('partly')).toMatchObject({ status: 0, stderr: '' })
  })

  it('is told how to get the Node of its package where npm has run no scripts', () => {
    mkdirSync(join(bin, 'unpacked/node_modules/node'), { recursive: true })
    writeFileSync(join(bin, 'unpacked/node_modules/node/package.json'), '{}')
    const { status, stderr } = startIn('unpacked', { preset: ['--require', olderNode('20.20.2')] })
    expect(stderr).toContain('npm rebuild node --ignore-scripts=false\n')
    expect(status).toBe(1)
  })
})
