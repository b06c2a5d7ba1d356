import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock, type Timers } from '@batti/kit/clock'
import { createFakeClock, until, type FakeClock } from '@batti/kit/testing'
import type { Part } from './parts.ts'
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

function keep(
  script: string,
  clock: Timers,
  {
    cwd = folder,
    logFolder = folder,
    ready,
    isWatched = false
  }: Partial<Pick<Part, 'cwd' | 'ready' | 'isWatched'>> & { logFolder?: string } = {}
) {
  const said: string[] = []
  const heard: string[] = []
  const pids: (number | null)[] = []
  const lost: Part[] = []
  const program = join(folder, 'part.cjs')
  writeFileSync(program, script)
  const supervised = createSupervisedProcess(
    {
      name: 'api',
      title: 'The api',
      program,
      nodeArgs: [],
      args: [],
      cwd,
      env: { OF_THE_PART: 'its setting' },
      ready: ready ?? { line: (line) => line === 'ready' },
      isWatched
    },
    {
      logFolder,
      compileCache: folder,
      clock,
      random: () => 0,
      say: (line) => void said.push(line),
      lost: (part) => void lost.push(part),
      changed: () => void pids.push(supervised.pid()),
      onLine: (line) => void heard.push(line)
    }
  )
  onTestFinished(() => supervised.kill())
  return { supervised, said, heard, pids, lost, program }
}

const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
/** Lets the clock pass in steps until it is so. */
const passing = (clock: FakeClock, what: string, isSo: () => boolean, stepMs = 50): Promise<boolean> =>
  until(what, () => {
    clock.advance(stepMs)
    return isSo()
  })

/** Waits for the part's line while no time passes: on a slow machine its start would otherwise be one that takes long. */
async function settled(clock: FakeClock, { heard }: { heard: string[] }, promise: Promise<void>): Promise<void> {
  let isOver = false
  const over = promise.finally(() => (isOver = true))
  await until('its line', () => heard.includes('ready'))
  await passing(clock, 'the start', () => isOver)
  await over
}

describe('a part that does not become ready', () => {
  it('is waited for, which the user is told once, and abandoned after five minutes', async () => {
    const { supervised, said } = keep('setInterval(() => {}, 1000)', createFastClock())
    await expect(supervised.start()).rejects.toThrow('The api was not ready after 5 minutes.')
    expect(said).toEqual(['The api is still starting after 30 s: this machine is slow or busy. Waiting …'])
    expect(supervised.pid()).toBeNull()
  })

  it('is abandoned at once if it cannot even be started', async () => {
    const { supervised } = keep('', createFastClock(), { cwd: `${folder}/nowhere` })
    await expect(supervised.start()).rejects.toThrow(/^The api could not start \(spawn .* ENOENT\)\.$/)
    expect(supervised.pid()).toBeNull()
  })

  it('because it fails is reported with what it wrote', async () => {
    const { supervised } = keep(`console.error('The port is taken.'); process.exit(1)`, systemClock)
    await expect(supervised.start()).rejects.toThrow(/^The port is taken\.$/)
    const silent = keep('process.exit(3)', systemClock).supervised
    await expect(silent.start()).rejects.toThrow(/^The api could not start \(exit code 3\)\.$/)
  })

  it('because it is stopped meanwhile is no failure', async () => {
    const { supervised, heard } = keep(`setInterval(() => {}, 1000); console.log('here')`, systemClock)
    const started = supervised.start()
    await until('the part to run', () => heard.includes('here'))
    await supervised.stop(10_000)
    await started
    expect(supervised.pid()).toBeNull()
  })
})

it('a part is ready with its line, and with none before that', async () => {
  const clock = createFakeClock()
  const kept = keep(
    `process.on('SIGUSR2', () => console.log('ready'))
    setInterval(() => {}, 1000)
    console.log(process.env.OF_THE_PART)`,
    clock
  )
  const { supervised, heard, pids } = kept
  let isReady = false
  const started = supervised.start().then(() => void (isReady = true))
  await until('its first line', () => heard.includes('its setting'))
  for (let polls = 0; polls < 20; polls += 1) {
    clock.advance(50)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(isReady).toBe(false)
  const pid = supervised.pid() ?? 0
  process.kill(pid, 'SIGUSR2')
  await settled(clock, kept, started)
  await supervised.stop(1000)
  // Whoever keeps a record of the processes is told of the start and of the end.
  expect(pids).toEqual([pid, null])
})

it('a part with an address is ready once that answers 200', async () => {
  let status = 503
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`
  const { supervised } = keep('setInterval(() => {}, 1000)', systemClock, { ready: { url } })
  let isReady = false
  const started = supervised.start().then(() => (isReady = true))
  await until('two questions', () => asked >= 2)
  expect(isReady).toBe(false)
  status = 200
  await started
})

describe('a part that dies', () => {
  /** Starts a part that dies of SIGUSR2. */
  async function startMortal(dying = `console.error('Error: no luck.')`) {
    const clock = createFakeClock()
    const kept = keep(
      `process.on('SIGUSR2', () => { ${dying}; process.exit(3) })
      setInterval(() => {}, 1000)
      console.log('ready')`,
      clock
    )
    const { supervised, said, heard } = kept
    await settled(clock, kept, supervised.start())
    const die = async (ranMs: number) => {
      clock.advance(ranMs)
      const lines = said.length
      process.kill(supervised.pid() ?? 0, 'SIGUSR2')
      await until('the news', () => said.length > lines)
    }
    const isBack = () => said.at(-1)?.includes('is back') === true
    const starts = () => heard.filter((line) => line === 'ready').length
    const back = async () => {
      const before = starts()
      await passing(clock, 'the next start', () => supervised.pid() !== null)
      await until('its line', () => starts() > before)
      await passing(clock, 'the part back', isBack)
    }
    return { clock, supervised, heard, said, die, back, starts }
  }

  it('is started again, and the user is told why and when it is back', async () => {
    const { supervised, said, die, back } = await startMortal()
    await die(0)
    expect(supervised.pid()).toBeNull()
    await back()
    expect(said).toEqual([
      'The api died (exit code 3): Error: no luck. Starting it again in 0.5 s.',
      `The api is back (process ${supervised.pid()}).`
    ])
  })

  it('is reported with the last error of its log if it wrote no other', async () => {
    const { said, die } = await startMortal(`console.log(JSON.stringify({ level: 60, msg: 'The port is taken.' }))`)
    await die(0)
    expect(said).toEqual(['The api died (exit code 3): The port is taken. Starting it again in 0.5 s.'])
  })

  it('but hangs at its exit is killed, and started again', async () => {
    const hanging = `process.on('exit', () => {
      require('node:fs').writeSync(1, 'hangs\\n')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
    const { clock, supervised, heard, said, back } = await startMortal(`console.error('Error: no luck.'); ${hanging}`)
    const pid = supervised.pid() ?? 0
    process.kill(pid, 'SIGUSR2')
    await until('its last line', () => heard.includes('hangs'))
    // Its end is noticed some time after it was killed.
    await passing(clock, 'the news', () => said.length > 0, 300)
    expect(said).toEqual(['The api died (killed by SIGKILL): Error: no luck. Starting it again in 0.5 s.'])
    await until('its end', () => hasEnded(pid))
    await back()
  })

  it('waits longer each time, and after a minute of running as short as at first', async () => {
    const { said, die, back } = await startMortal()
    for (const ranMs of [0, 50_000, 60_000]) {
      await die(ranMs)
      await back()
    }
    const delays = said.flatMap((line) => /again in (.*)\.$/.exec(line)?.[1] ?? [])
    expect(delays).toEqual(['0.5 s', '1.0 s', '0.5 s'])
  })

  it('is not started again, but reported as lost, when its program no longer exists', async () => {
    const { supervised, said, lost, program } = keep(`setInterval(() => {}, 1000); console.log('ready')`, systemClock)
    await supervised.start()
    rmSync(program)
    process.kill(supervised.pid() ?? 0, 'SIGKILL')
    await until('the news', () => lost.length > 0 || said.length > 0)
    expect([lost, said, supervised.pid()]).toEqual([[supervised.part], [], null])
  })

  it('is not started again once it is to stop', async () => {
    const { clock, supervised, said, die, starts } = await startMortal()
    await die(0)
    await supervised.stop(1000)
    clock.advance(60_000)
    expect([said.length, starts(), supervised.pid()]).toEqual([1, 1, null])
  })
})

describe('a part that is to stop', () => {
  it('is asked to, and says nothing of it', async () => {
    const file = join(folder, 'asked')
    const script = `process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); process.exit() })
      setInterval(() => {}, 1000)
      console.log('ready')`
    const { supervised, said } = keep(script, systemClock)
    await supervised.start()
    await supervised.stop(60_000)
    expect([existsSync(file), supervised.pid(), said]).toEqual([true, null, []])
  })

  it('at once is killed, and not started again', async () => {
    const clock = createFakeClock()
    const kept = keep(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`, clock)
    const { supervised, said, heard } = kept
    await settled(clock, kept, supervised.start())
    const pid = supervised.pid() ?? 0
    supervised.kill()
    await until('its end', () => hasEnded(pid) && supervised.pid() === null)
    clock.advance(60_000)
    expect([heard, said, supervised.pid()]).toEqual([['ready'], [], null])
    supervised.kill()
  })

  it('and does not is killed after that time, with its children', async () => {
    const clock = createFakeClock()
    const script = `process.on('SIGTERM', () => console.log('asked'))
      const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'])
      setInterval(() => {}, 1000)
      console.log('child ' + child.pid)
      console.log('ready')`
    const kept = keep(script, clock)
    const { supervised, heard } = kept
    await settled(clock, kept, supervised.start())
    const pids = [supervised.pid() ?? 0, Number(heard[0]?.split(' ')[1])]
    const stopped = supervised.stop(4000)
    await until('the request', () => heard.includes('asked'))
    clock.advance(3999)
    expect(pids.map(hasEnded)).toEqual([false, false])
    clock.advance(1)
    await stopped
    await until('their end', () => pids.every(hasEnded))
    expect(supervised.pid()).toBeNull()
  })
})

const running = `console.log('ready'); setInterval(() => {}, 1000)`

describe('a part whose code is watched', () => {
  it('is started anew with its changed code, at its first start too', async () => {
    const { supervised, said, heard, program } = keep('throw new Error("half of an edit")', systemClock, {
      isWatched: true
    })
    const started = supervised.start()
    await until('its failure', () => said.length > 0)
    writeFileSync(program, running)
    supervised.renew()
    await started
    const first = supervised.pid()
    writeFileSync(program, `console.log('of the change'); ${running}`)
    supervised.renew()
    await until('the change', () => said.length > 1)
    expect(said).toEqual([
      `The api does not run: Error: half of an edit. Where, says ${join(folder, 'api.log')}. The next change of its code starts it again.`,
      'The api runs with its changed code.'
    ])
    expect(heard).toEqual(['ready', 'of the change', 'ready'])
    expect(supervised.pid()).not.toBe(first)
    await supervised.stop(4000)
  })

  it('is started anew by a change that comes before its failure is noticed', async () => {
    const clock = createFakeClock()
    const part = keep('throw new Error("half of an edit")', clock, { isWatched: true })
    const started = part.supervised.start()
    await until('its end', () => part.pids.length > 1)
    writeFileSync(part.program, running)
    part.supervised.renew()
    await until('its second start', () => {
      clock.advance(50)
      return part.pids.length > 2
    })
    await settled(clock, part, started)
    expect(part.said).toEqual([])
  })

  it('waits for the next change when one has broken it, and can be stopped meanwhile', async () => {
    const { supervised, said, program } = keep(running, systemClock, { isWatched: true })
    await supervised.start()
    writeFileSync(program, 'console.log(;')
    supervised.renew()
    await until('its failure', () => said.length > 0)
    expect(said).toEqual([expect.stringMatching(/^The api does not run: SyntaxError: .*starts it again\.$/)])
    expect(supervised.pid()).toBeNull()
    await supervised.stop(4000)
    supervised.renew()
    expect(supervised.pid()).toBeNull()
  })
})

it('a log that cannot be written, as on a disk that has become read-only, is reported once', async () => {
  const logFolder = join(folder, 'no-folder')
  await writeFile(logFolder, '')
  const lines = "console.log('a'); setTimeout(() => console.log('ready'))"
  const { supervised, said } = keep(`${lines}; setInterval(() => {}, 1000)`, systemClock, { logFolder })
  await supervised.start()
  expect(said).toEqual([expect.stringMatching(/no-folder.api\.log cannot be written, its lines are lost: E/)])
  supervised.kill()
})
