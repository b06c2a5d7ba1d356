import { runToEnd } from '@batti/kit/node/testing'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rootDir } from './run-command.ts'

const run = (script: string, ...args: string[]) => runToEnd(process.execPath, [join(rootDir, script), ...args])

describe.each([
  ['bench/src/main.ts', 'toggle'],
  ['scripts/check.ts', 'unused-code'],
  ['scripts/interop.ts', 'deploy'],
  ['scripts/without-feature.ts', 'schedules']
])('%s', (script, known) => {
  it('refuses the name of an inherited property, and lists its commands', () => {
    const { status, stderr } = run(script, 'toString')
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(`There is no .*toString\\. .*${known}`)
    })
  })

  it('explains itself', () => {
    const { status, stdout } = run(script, '--help')
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(known) })
  })
})

it('npm test explains itself, and runs nothing', () => {
  const { status, stdout } = run('scripts/test.ts', '--help')
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^npm test .*PATTERN[^]*--late/) })
})
