import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { systemClock, type Timers } from '@batti/kit/clock'
import type { Part, PartName } from './parts.ts'
import { createSupervisor } from './supervisor.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batti-supervisor-'))
  await writeFile(
    join(folder, 'part.cjs'),
    'process.on("SIGTERM", () => process.exit()); setInterval(() => {}, 1000); console.log("ready")'
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const part = (name: PartName, more: Partial<Part> = {}): Part => ({
  name,
  title: name,
  program: join(folder, 'part.cjs'),
  nodeArgs: [],
  args: [],
  cwd: folder,
  env: {},
  ready: { line: (line) => line === 'ready' },
  ...more
})

function supervise(clock: Timers, changed: () => void = () => undefined) {
  const options = { logFolder: folder, compileCache: folder, clock, random: () => 0 }
  const supervisor = createSupervisor({ ...options, say: () => undefined, lost: () => undefined, changed })
  onTestFinished(() => supervisor.killAll())
  return supervisor
}

it.each([
  ['at once', 0, 4000],
  ['within its drain', 30_000, 4000],
  ['after more than its drain', 62_000, 2000],
  ['after more than that and all the time of the others', 70_000, 500]
])(
  'gives a draining part that ends %s the time of its drain, and the next one no more than before',
  async (_when, tookMs, nextMs) => {
    const limits: number[] = []
    let now = 0
    // The clock passes only when the draining part has ended, so a wait longer than a poll is a limit, and none is reached.
    const clock: Timers = {
      now: () => now,
      monotonic: () => now,
      after(delayMs, run) {
        const poll = delayMs > 100 ? void limits.push(delayMs) : setImmediate(run)
        return () => clearImmediate(poll)
      }
    }
    let isStopping = false
    const supervisor = supervise(clock, () => (now = isStopping && supervisor.pid('api') === null ? tookMs : 0))
    await supervisor.start([part('broker'), part('api', { drainMs: 60_000 }), part('boards')])
    isStopping = true
    await supervisor.stop()
    expect(limits).toEqual([3000, 63_500, nextMs])
  }
)

it('names the process of each part that runs, of whichever start, and passes on what each prints', async () => {
  const supervisor = supervise(systemClock)
  expect(supervisor.pids()).toEqual([])
  const heard: string[] = []
  const hear = ({ name }: Part, line: string) => void heard.push(`${name}: ${line}`)
  await supervisor.start([part('database')])
  await supervisor.start([part('broker'), part('api')], hear)
  expect(heard.toSorted()).toEqual(['api: ready', 'broker: ready'])
  expect(supervisor.pids().map(({ name }) => name)).toEqual(['database', 'broker', 'api'])
  for (const { name, pid } of supervisor.pids()) {
    expect(supervisor.pid(name)).toBe(pid)
    expect(process.kill(pid, 0)).toBe(true)
  }
  expect(supervisor.pid('boards')).toBeNull()
  await supervisor.stop()
  expect([supervisor.pids(), supervisor.pid('api')]).toEqual([[], null])
})

it('stops the part that was started last first, and each one after the next has ended', async () => {
  const left: PartName[][] = []
  const supervisor = supervise(systemClock, () => left.push(supervisor.pids().map(({ name }) => name)))
  await supervisor.start([part('database'), part('broker'), part('api')])
  left.length = 0
  await supervisor.stop()
  expect(left).toEqual([['database', 'broker'], ['database'], []])
})

it('kills every part at once, and starts none again', async () => {
  let isOver = () => {}
  const over = new Promise<void>((resolve) => (isOver = resolve))
  const supervisor = supervise(systemClock, () => (supervisor.pids().length === 0 ? isOver() : undefined))
  await supervisor.start([part('broker'), part('api')])
  supervisor.killAll()
  await over
  expect(supervisor.pids()).toEqual([])
})
