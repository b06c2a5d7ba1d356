import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock, type Timers } from '@batti/kit/clock'
import { createSupervisedProcess } from './supervised-process.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batti-supervised-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Ten seconds pass with each read of the clock. */
function createFastClock(): Timers {
  let now = 0
  return {
    now: () => now,
    monotonic: () => now,
    after: (_delayMs, run) => {
      const pass = setImmediate(() => {
        now += 10_000
        run()
      })
      return () => clearImmediate(pass)
    }
  }
}

function keep(script: string, clock: Timers, cwd = folder) {
  const said: string[] = []
  const supervised = createSupervisedProcess(
    {
      name: 'api',
      title: 'The api',
      args: ['--eval', script],
      cwd,
      env: {},
      ready: { line: (line) => line === 'ready' }
    },
    {
      logFolder: folder,
      compileCache: folder,
      clock,
      random: () => 0,
      say: (line) => void said.push(line),
      changed: () => undefined
    }
  )
  return { supervised, said }
}

describe('a part that does not become ready', () => {
  it('is waited for, which the user is told once, and abandoned after five minutes', async () => {
    const { supervised, said } = keep('setInterval(() => {}, 1000)', createFastClock())
    await expect(supervised.start()).rejects.toThrow('The api was not ready after 5 minutes.')
    expect(said).toEqual(['The api is still starting after 30 s: this machine is slow or busy. Waiting …'])
    expect(supervised.pid()).toBeNull()
  })

  it('is abandoned at once if it cannot even be started', async () => {
    const { supervised } = keep('', createFastClock(), `${folder}/nowhere`)
    await expect(supervised.start()).rejects.toThrow(/^The api could not start \(spawn .* ENOENT\)\.$/)
    expect(supervised.pid()).toBeNull()
  })
})

it('a part whose change does not compile is reported, and its watcher waits silently for the next change', async () => {
  const { supervised, said } = keep(
    `console.log('ready')
    console.error("SyntaxError: Expected ','")
    console.log("Failed running 'main.ts'. Waiting for file changes before restarting...")
    setInterval(() => {}, 1000)`,
    systemClock
  )
  await supervised.start()
  await vi.waitFor(() => expect(said).toHaveLength(1))
  expect(said[0]).toBe(
    `The api does not run: SyntaxError: Expected ','. Where, says ${join(folder, 'api.log')}. The next change starts it again; if not, start anew.`
  )
  supervised.kill()
})
