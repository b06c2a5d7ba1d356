import { messageOf } from '@batti/kit/message-of'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import bcrypt from 'bcrypt'

/** A task of `bcrypt-threads.ts`: hash `text`, or compare it with `hash`. */
export type PasswordTask = { id: number; text: string } & ({ cost: number } | { hash: string })
export type PasswordAnswer = { id: number } & ({ result: string | boolean } | { error: string })

/** Slightly below normal: commands go first, and logins still work on a busy machine. */
const niceness = 4

try {
  // On Linux this sets the priority of this thread only.
  if (process.platform === 'linux') setPriority(0, niceness)
} catch {
  // Not all systems allow it; the thread then keeps its priority.
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, windows have
parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(answer(task)))

function answer(task: PasswordTask): PasswordAnswer {
  const { id, text } = task
  try {
    return { id, result: 'hash' in task ? bcrypt.compareSync(text, task.hash) : bcrypt.hashSync(text, task.cost) }
  } catch (error) {
    return { id, error: messageOf(error) }
  }
}
