import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Timers } from '@batti/kit/clock'
import type { Part, PartName } from './parts.ts'
import { createSupervisor } from './supervisor.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batti-supervisor-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('gives a draining part the time of its drain, and the others no more than before', async () => {
  const limits: number[] = []
  // The clock stands still, so a wait longer than a poll is a limit, and none is reached.
  const clock: Timers = {
    now: () => 0,
    monotonic: () => 0,
    after(delayMs, run) {
      const poll = delayMs > 100 ? void limits.push(delayMs) : setImmediate(run)
      return () => clearImmediate(poll)
    }
  }
  const part = (name: PartName, more: Partial<Part> = {}): Part => ({
    name,
    title: name,
    args: ['--eval', 'process.on("SIGTERM", () => process.exit()); setInterval(() => {}, 1000); console.log("ready")'],
    cwd: folder,
    env: {},
    ready: { line: (line) => line === 'ready' },
    ...more
  })
  const options = { logFolder: folder, compileCache: folder, clock, random: () => 0 }
  const supervisor = createSupervisor({ ...options, say: () => undefined, changed: () => undefined })
  await supervisor.start([part('broker'), part('api', { drainMs: 60_000 }), part('boards')])
  await supervisor.stop()
  expect(limits).toEqual([3000, 63_500, 4000])
})
