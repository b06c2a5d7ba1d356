import { messageOf } from '@batti/kit/message-of'
import bcrypt from 'bcrypt'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { PasswordAnswer } from './password-worker.ts'

/** bcrypt, wherever it runs. */
export interface Bcrypt {
  hash(text: string, cost: number): Promise<string>
  compare(text: string, hash: string): Promise<boolean>
}

type Work = { text: string } & ({ cost: number } | { hash: string })

export interface BcryptThreads extends Bcrypt {
  /** Returns the current number of own threads. */
  running(): number
  stop(): Promise<void>
}

interface Waiting {
  resolve(result: string | boolean): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  waiting: Map<number, Waiting>
  /** Timer that ends the idle thread; set while no work is waiting. */
  idle: NodeJS.Timeout | undefined
}

/** A thread takes some 15 MiB, and a home needs it once a week. */
const idleMs = 500

const notComputed = (why: unknown): Error => new Error(`A password could not be computed: ${messageOf(why)}`)

/** With one processor a password on Node's pool, which has normal priority, would take half of it from commands. */
const usesPool = availableParallelism() > 1

/**
 * Runs bcrypt on threads of its own with low priority, so that many passwords neither compete with commands to boards nor
 * delay files, pictures and DNS on Node's pool. Threads start on demand, and end after `idleMs` without work. A password
 * that comes alone is computed on Node's pool instead: the start of a thread would be a fifth of its time.
 */
export function createBcryptThreads(count: number, limits = { idleMs, usesPool }): BcryptThreads {
  let threads: Thread[] = []
  let nextId = 0
  let isPoolTaken = false
  let stopped = false

  function startThread(): Thread {
    const worker = new Worker(new URL('password-worker.ts', import.meta.url), { stdin: false })
    const thread: Thread = { worker, waiting: new Map(), idle: undefined }
    worker.unref()
    worker.on('message', (answer: PasswordAnswer) => {
      const waiting = thread.waiting.get(answer.id)
      thread.waiting.delete(answer.id)
      if (thread.waiting.size === 0) thread.idle = setTimeout(() => end(thread), limits.idleMs).unref()
      if ('error' in answer) waiting?.reject(notComputed(answer.error))
      else waiting?.resolve(answer.result)
    })
    const lost = (error: Error) => {
      forget(thread)
      for (const waiting of thread.waiting.values()) waiting.reject(error)
      thread.waiting.clear()
    }
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('The thread for passwords ended.')))
    threads.push(thread)
    return thread
  }

  function forget(thread: Thread): void {
    clearTimeout(thread.idle)
    threads = threads.filter((other) => other !== thread)
  }

  function end(thread: Thread): void {
    forget(thread)
    void thread.worker.terminate()
  }

  /** Returns the least busy thread, or a new one while the limit allows. */
  function choose(): Thread {
    const leastBusy = threads.toSorted((one, other) => one.waiting.size - other.waiting.size)[0]
    return leastBusy !== undefined && (leastBusy.waiting.size === 0 || threads.length >= count)
      ? leastBusy
      : startThread()
  }

  const runOnThread = (work: Work): Promise<string | boolean> =>
    new Promise((resolve, reject) => {
      const id = nextId++
      const { worker, waiting, idle } = choose()
      clearTimeout(idle)
      waiting.set(id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, windows have
      worker.postMessage({ id, ...work })
    })

  async function runOnPool(work: Work): Promise<string | boolean> {
    isPoolTaken = true
    try {
      const { text } = work
      return await ('hash' in work ? bcrypt.compare(text, work.hash) : bcrypt.hash(text, work.cost))
    } catch (error) {
      throw notComputed(error)
    } finally {
      isPoolTaken = false
    }
  }

  async function run(work: Work): Promise<string | boolean> {
    if (stopped) throw new Error('The server is stopping.')
    const isAlone = threads.length === 0 && !isPoolTaken
    return isAlone && limits.usesPool ? runOnPool(work) : runOnThread(work)
  }

  return {
    hash: async (text, cost) => String(await run({ text, cost })),
    compare: async (text, hash) => (await run({ text, hash })) === true,
    running: () => threads.length,
    async stop() {
      stopped = true
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    }
  }
}
