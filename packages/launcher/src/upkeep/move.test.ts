import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startServerProcess } from '@batti/embedded-mongo/testing/server-process'
import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { expect, it, onTestFinished } from 'vitest'
import { plainEnv } from '../testing/start-product.ts'
import { refuseMoved } from './moved.ts'

/** Kills the process before it renames what ends like this. */
const killedAt = (ending: string): string =>
  `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { renameSync } = fs
  fs.renameSync = (from, to) => {
    if (from.endsWith('${ending}')) process.kill(process.pid, 'SIGKILL')
    renameSync(from, to)
  }
  syncBuiltinESMExports()`)}`

async function moved() {
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
  const start = (): string =>
    runToEnd(process.execPath, [join(import.meta.dirname, '../launch/main.ts'), '--data', data], { env: plainEnv() })
      .stderr
  return { data, moveBack, start }
}

it('a start is refused after a move back that was killed between its renames, and the next move back succeeds', async () => {
  const { data, moveBack, start } = await moved()
  expect(await moveBack('--import', killedAt('.moving'))).toBe('SIGKILL')
  expect(start()).toContain('The data were moved to')
  expect(existsSync(join(data, 'db.moving'))).toBe(true)
  expect(await moveBack()).toBe(0)
  expect(() => refuseMoved(data, null)).not.toThrow()
})

it('a start removes the copy that a move back left when it was killed before its renames', async () => {
  const { data, moveBack, start } = await moved()
  expect(await moveBack('--import', killedAt('db'))).toBe('SIGKILL')
  expect(existsSync(join(data, 'db.moving'))).toBe(true)
  expect(start()).toContain('The data were moved to')
  expect(['db', 'db.moving'].map((name) => existsSync(join(data, name)))).toEqual([true, false])
})
