import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A helper process that answers one request at a time over its IPC channel. */
export interface Child {
  readonly pid: number
  ask<Answer>(question: object): Promise<Answer>
  stop(): Promise<void>
}

type Reply = { answer: unknown } | { error: string }

/** Runs a file in its own process. */
export function startChild(file: URL, args: readonly string[] = []): Child {
  const child: ChildProcess = fork(file, args, {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const ended = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(question: object) {
      child.send(question)
      const reply: Reply = await Promise.race([
        once(child, 'message').then(([message]) => message as Reply),
        ended.then(() => ({ error: `${file.pathname} ended` }))
      ])
      if ('error' in reply) throw new Error(reply.error)
      return reply.answer as Answer
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    }
  }
}

/** In the helper process: answers requests of the parent. */
export function answerParent(answer: (question: never) => unknown): void {
  process.on('message', (question) => {
    Promise.resolve()
      .then(() => answer(question as never))
      .then(
        (value) => process.send?.({ answer: value ?? null }),
        (error: unknown) =>
          process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      )
  })
  process.on('disconnect', () => process.exit(0))
}
