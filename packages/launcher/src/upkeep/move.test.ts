import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { startServerProcess } from '@batti/embedded-mongo/testing/server-process'
import { testFolder } from '@batti/kit/node/testing'
import { expect, it, onTestFinished } from 'vitest'
import { plainEnv } from '../testing/start-product.ts'
import { refuseMoved } from './moved.ts'

/** Kills the process before it gives its name to the database that was moved back. */
const killed = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { renameSync } = fs
  fs.renameSync = (from, to) => {
    if (from.endsWith('.moving')) process.kill(process.pid, 'SIGKILL')
    renameSync(from, to)
  }
  syncBuiltinESMExports()`)}`

it('a start is refused after a move back that was killed between its renames, and the next move back succeeds', async () => {
  const data = testFolder('moved-back')
  await (await startServerProcess(join(data, 'db'), ['--port', '0'])).stop()
  const other = await startServerProcess(testFolder('moved-to'), ['--port', '0'])
  onTestFinished(() => other.stop())
  const moveBack = (...options: string[]) =>
    new Promise<NodeJS.Signals | number | null>((done) => {
      const args = [...options, join(import.meta.dirname, 'cli.ts'), 'move', 'back', '--data', data]
      const env = { ...plainEnv(), MONGODB_URI: other.uri }
      const child = execFile(process.execPath, args, { env }, () => done(child.signalCode ?? child.exitCode))
    })
  expect(await moveBack('--import', killed)).toBe('SIGKILL')
  expect(() => refuseMoved(data, null)).toThrow('The data were moved to')
  expect(await moveBack()).toBe(0)
  expect(() => refuseMoved(data, null)).not.toThrow()
})
