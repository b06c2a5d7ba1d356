import { fork } from 'node:child_process'
import { readSettings } from './config.ts'
import { LaunchError } from './launch-error.ts'

/** The last message of a script. All others are objects. */
const done = 'done'

/**
 * Runs one of our scripts in a short-lived process, so that its modules do not stay in the launcher's memory. Sends it
 * `task` and passes each of its messages to `hear`; both are JSON. @throws Error with its stderr when it fails, LaunchError when it
 * cannot be started.
 */
export function runInChild<Task extends object, Said extends object>(
  script: URL,
  task: Task,
  hear: (message: Said) => void
): Promise<void> {
  const { env } = readSettings()
  const child = fork(script, { env, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words += text))
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own script sends nothing else
      if (message !== done) return hear(message as Said)
      // Not left to exit by itself, in which Node may hang.
      child.kill('SIGKILL')
      resolve()
    })
    // Without a free file descriptor there is no process, and nothing to send to.
    child.on('spawn', () => child.send(task))
    child.on('error', ({ message }) =>
      reject(new LaunchError(`A helper of the launcher cannot be started (${message}).`))
    )
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(withoutPosition(words) || 'a helper of the launcher ended before its work was done'))
    })
  })
}

/** Removes the source position that Node prints before an error. */
const withoutPosition = (words: string): string => words.slice(Math.max(0, words.search(/^\w*Error.*:/m))).trim()

/** Receives and runs the task in a script of `runInChild`. The process ends when that is done, or its launcher has ended. */
export function runTask<Task extends object, Said extends object>(
  work: (task: Task, notify: (message: Said) => void) => Promise<void>
): void {
  process.once('disconnect', () => process.exit(1))
  process.once('message', (task: Task) => {
    process.channel?.unref()
    void work(task, (message) => void process.send?.(message)).then(() => process.send?.(done))
  })
}
