import { fork } from 'node:child_process'
import { readSettings } from './config.ts'

/**
 * Runs a script of ours in a process of its own, which ends with its work: what it loads does not stay in the launcher's
 * memory. `task` goes there and each message back is heard; both are JSON. @throws Error with its words when it fails.
 */
export function runApart<Task extends object, Said extends object>(
  script: URL,
  task: Task,
  hear: (message: Said) => void
): Promise<void> {
  const { env } = readSettings()
  const child = fork(script, { env, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words += text))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a script of ours, which sends nothing else
  child.on('message', (message) => hear(message as Said))
  child.send(task)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(withoutPosition(words) || 'a helper of the launcher ended before its work was done'))
    })
  })
}

/** Node tells where in the code an error was thrown before it tells the error. */
const withoutPosition = (words: string): string => words.slice(Math.max(0, words.search(/^\w*Error.*:/m))).trim()

/** In such a script: does its task, and tells of it. The process ends by itself when there is nothing left to do. */
export function takeTask<Task extends object, Said extends object>(
  work: (task: Task, notify: (message: Said) => void) => Promise<void>
): void {
  process.once('message', (task: Task) => {
    process.channel?.unref()
    void work(task, (message) => void process.send?.(message))
  })
}
