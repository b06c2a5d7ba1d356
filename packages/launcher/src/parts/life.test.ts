import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testFolder } from '@batti/kit/node/testing'
import { createFakeClock, until } from '@batti/kit/testing'
import { causeOf, end, endWithin, startLife } from './life.ts'
import { thisMachine } from './process-table.ts'

/** Runs a script as a part, until the test has finished. */
function run(script: string, { env = {}, isStopping = false } = {}) {
  const folder = testFolder('life')
  const program = join(folder, 'part.cjs')
  writeFileSync(program, script)
  const heard: string[] = []
  const clock = createFakeClock()
  const life = startLife(
    {
      name: 'api',
      title: 'The api',
      program,
      nodeArgs: [],
      args: ['--an-argument'],
      cwd: folder,
      env,
      ready: { line: (line) => line === 'ready' }
    },
    {
      logFolder: folder,
      compileCache: join(folder, 'compiled'),
      clock,
      onLine: (line) => void heard.push(line),
      onLoss: (error) => void heard.push(String(error)),
      isStopping: () => isStopping
    }
  )
  onTestFinished(async () => {
    end(life.child)
    await life.ended
  })
  const hears = (line: string) => until(line, () => heard.includes(line))
  return { life, clock, heard, hears, folder }
}

const isRunning = (pid = 0): boolean => thisMachine.startOf(pid) !== null

/** For scripts that run until they are ended, and answer while they do. */
const forEver = `setInterval(() => {}, 1000); process.on('SIGUSR2', () => console.log('alive'));`
/** Resolves when the process has answered, which none does that was killed by the time that has passed. */
async function isAlive({ life, hears }: ReturnType<typeof run>): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  life.child.kill('SIGUSR2')
  await hears('alive')
}

it('starts with its arguments, and with its own settings before those of every part', async () => {
  const script = `const { MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, NODE_COMPILE_CACHE } = process.env
    console.log(JSON.stringify([process.argv[2], MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, NODE_COMPILE_CACHE]))`
  const { life, heard, folder } = run(script, { env: { MALLOC_ARENA_MAX: '4' } })
  expect(await life.ended).toBe('exit code 0')
  expect(JSON.parse(heard[0] ?? '')).toEqual(['--an-argument', '4', '131072', join(folder, 'compiled')])
  expect(life.hasEnded).toBe(true)
})

it('is ready with its line, and says why it ended', async () => {
  const { life, hears } = run(`${forEver} console.log('here')
    process.on('SIGHUP', () => { console.log('ready'); console.error('Error: no luck.') })
    process.on('SIGTERM', () => process.exit(3))`)
  await hears('here')
  expect(await life.isReady()).toBe(false)
  expect(causeOf(life)).toBe('')
  life.child.kill('SIGHUP')
  await until('its last words', () => causeOf(life) !== '')
  await hears('ready')
  expect(await life.isReady()).toBe(true)
  life.child.kill('SIGTERM')
  expect(await life.ended).toBe('exit code 3')
  expect(causeOf(life)).toBe(': Error: no luck')
})

it('is killed with its children', async () => {
  const { life, heard } = run(`const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    console.log(child.pid)`)
  await until('its child', () => heard.length > 0)
  const child = Number(heard[0])
  expect(isRunning(child)).toBe(true)
  end(life.child)
  expect(await life.ended).toBe('killed by SIGKILL')
  await until('the end of its child', () => !isRunning(child))
})

describe('when it is asked to stop', () => {
  it('has its time, and is killed after that', async () => {
    const part = run(`${forEver} process.on('SIGTERM', () => console.log('asked')); console.log('here')`)
    const { life, clock, hears } = part
    await hears('here')
    const stopped = endWithin(life, 4000, clock)
    await hears('asked')
    clock.advance(3999)
    await isAlive(part)
    clock.advance(1)
    expect(await life.ended).toBe('killed by SIGKILL')
    await stopped
  })

  it('is left alone if it does', async () => {
    const { life, clock, hears } = run(`${forEver} process.on('SIGTERM', () => process.exit(0)); console.log('here')`)
    await hears('here')
    await endWithin(life, 4000, clock)
    expect(await life.ended).toBe('exit code 0')
  })
})

describe('when it says that it is ending', () => {
  const ending = (pid: string) => `${forEver} process.send({ ending: ${pid} }, () => console.log('said'))`

  it('and hangs, is killed after five seconds', async () => {
    const part = run(ending('process.pid'))
    const { life, clock } = part
    await until('its word', () => life.endingAt !== undefined)
    clock.advance(4999)
    await isAlive(part)
    clock.advance(1)
    expect(await life.ended).toBe('killed by SIGKILL')
  })

  it.each([
    ['in the name of another process', ending('process.ppid'), false],
    ['because it was asked to: that request has a time of its own', ending('process.pid'), true]
  ])('is not killed for it %s', async (_what, script, isStopping) => {
    const part = run(script, { isStopping })
    const { life, clock, hears } = part
    await hears('said')
    clock.advance(60_000)
    await isAlive(part)
    expect(life.endingAt).toBeUndefined()
  })
})
