import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { stopAtRandom } from './random-stops.ts'

it.runIf(process.platform !== 'win32')(
  'a run is stopped at random, with what its programs have started, and goes on',
  async () => {
    // Tells of each break that is too long for a slow machine to be the likely cause.
    const ticks = `let last = performance.now()
    setInterval(() => {
      const now = performance.now()
      if (now - last > 200) console.log('a break')
      last = now
    }, 10)`
    const starts = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(ticks)}], { stdio: 'inherit' })`
    const child = spawn(process.execPath, ['-e', starts], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
    const lines = createInterface({ input: child.stdout })
    const end = stopAtRandom()
    onTestFinished(end)
    for (let breaks = 0; breaks < 3; breaks += 1) await once(lines, 'line')
    end()
    process.kill(child.pid ?? 0, 'SIGTERM')
    await once(child, 'exit')
    expect(child.signalCode).toBe('SIGTERM')
  }
)
