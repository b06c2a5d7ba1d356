import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rootDir } from './run-command.ts'

interface Manifest {
  name: string
  workspaces?: string[]
  dependencies?: Record<string, string>
}

const read = (path: string): string => readFileSync(join(rootDir, path), 'utf8')
const manifestOf = (folder: string): Manifest => JSON.parse(read(join(folder, 'package.json'))) as Manifest
const folders = globSync(
  (manifestOf('.').workspaces ?? []).map((pattern) => `${pattern}/package.json`),
  {
    cwd: rootDir
  }
).map(dirname)
const lines = read('Dockerfile').split('\n')
/** The lines of one stage: `FROM ... AS name` and what follows. */
const stage = (name: string): string[] => {
  const start = lines.findIndex((line) => line.startsWith('FROM ') && line.endsWith(` AS ${name}`))
  const end = lines.findIndex((line, index) => index > start && line.startsWith('FROM '))
  return lines.slice(start, end < 0 ? undefined : end)
}

describe('the Dockerfile', () => {
  it.each(folders)('contains the manifest of %s, without which npm ci refuses the lock file', (folder) => {
    expect(stage('manifests')).toContain(`COPY ${folder}/package.json ${folder}/`)
  })

  it('puts every package of ours into the home image', () => {
    for (const folder of folders.filter(
      (one) => one.startsWith('packages/') || one === 'apps/api' || one === 'apps/broker'
    ))
      expect(stage('home-modules').join(' ')).toContain(`--workspace ${manifestOf(folder).name}`)
    for (const folder of ['packages', 'apps/api', 'apps/broker', 'firmware-sim'])
      expect(stage('home')).toContain(`COPY ${folder} ${folder}`)
  })

  it.each(['api', 'broker'])('puts the required packages of ours into the image of the %s', (part) => {
    const own = Object.keys(manifestOf(`apps/${part}`).dependencies ?? {}).filter((name) => name.startsWith('@batti/'))
    expect(own).toContain('@batti/contracts')
    for (const name of own) {
      const folder = folders.find((one) => manifestOf(one).name === name)
      expect(stage(part)).toContain(`COPY ${folder} ${folder}`)
      expect(stage(`${part}-modules`).join(' ')).toContain(`--workspace ${name}`)
    }
  })
})
