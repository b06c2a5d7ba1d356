import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('a stop ends the simulator without `process.exit`, in which Node may hang', async () => {
  const hanging = 'process.exit = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hanging)}`, join(import.meta.dirname, 'main.ts')]
  const simulator = spawn(process.execPath, [...args, '--boards', '0', '--fresh', '1', '--wall', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  onTestFinished(() => void simulator.kill('SIGKILL'))
  await once(simulator.stdout, 'data')
  const ended = once(simulator, 'close')
  simulator.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
