import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { until } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { runInChild } from './child-task.ts'
import { readIfThere } from './data/private-file.ts'
import { commandOf } from './parts/process-table.ts'

const url = (path: string): string => JSON.stringify(pathToFileURL(path).href)

/** Puts a script with a task into a folder of its own. */
function taskOf(work: string): { folder: string; script: string } {
  const folder = testFolder('task')
  const script = join(folder, 'task.mjs')
  const module = url(join(import.meta.dirname, 'child-task.ts'))
  writeFileSync(script, `import { runTask } from ${module}\nrunTask(async (task, notify) => { ${work} })`)
  return { folder, script }
}

test('a task answers, and its process ends when it is done', async () => {
  const heard: object[] = []
  const { script } = taskOf('notify({ twice: task.number * 2 })')
  await runInChild(pathToFileURL(script), { number: 21 }, (message) => void heard.push(message))
  expect(heard).toEqual([{ twice: 42 }])
})

test('a task that is done does not hang at its exit', async () => {
  let pid = 0
  const { script } = taskOf(`process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    notify({ pid: process.pid })`)
  await runInChild<object, { pid: number }>(pathToFileURL(script), {}, (said) => void (pid = said.pid))
  expect(await until('its end', () => commandOf(pid) === null)).toBe(true)
})

test.runIf(process.platform !== 'win32')('a task that cannot be started says why', () => {
  const { script } = taskOf('')
  const program = `import { runInChild } from ${url(join(import.meta.dirname, 'child-task.ts'))}
    import { openSync } from 'node:fs'
    try { for (;;) openSync('/dev/null') } catch {}
    await runInChild(new URL(${url(script)}), {}, () => {}).catch(({ message }) => console.log(message))`
  const limited = 'ulimit -n 64 && exec "$0" --input-type=module --eval "$1"'
  expect(runToEnd('sh', ['-c', limited, process.execPath, program]).stdout).toMatch(
    /^A helper of the launcher cannot be started \(spawn .* EMFILE\)\.\n$/
  )
})

test('a task ends with its launcher, also when that is killed', async () => {
  const { folder, script } = taskOf(`const { writeFileSync } = await import('node:fs')
    writeFileSync(task.file, String(process.pid))
    await new Promise((resolve) => setTimeout(resolve, 3_600_000))`)
  const file = join(folder, 'pid')
  const module = url(join(import.meta.dirname, 'child-task.ts'))
  const program = `import { runInChild } from ${module}
    await runInChild(new URL(${url(script)}), { file: ${JSON.stringify(file)} }, () => {})`
  const launcher = spawn(process.execPath, ['--input-type=module', '--eval', program])
  const pid = await until('the task', () => Number(readIfThere(file)) || null)
  launcher.kill('SIGKILL')
  expect(await until('its end', () => commandOf(pid) === null)).toBe(true)
})
