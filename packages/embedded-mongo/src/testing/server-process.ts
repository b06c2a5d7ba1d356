import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const MAIN = join(import.meta.dirname, '../main.ts')

export interface ServerProcess {
  uri: string
  startMs: number
  kill(): Promise<void>
  stop(): Promise<void>
  child: ChildProcess
}

/**
 * Starts the server in its own process, like the launcher, and waits until it is ready. Later output on its stderr goes to
 * this process's stderr. @throws Error with its stderr when it does not start.
 */
export async function startServerProcess(
  data: string,
  more: string[] = [],
  env: NodeJS.ProcessEnv = process.env
): Promise<ServerProcess> {
  const started = performance.now()
  const child = spawn(process.execPath, [MAIN, '--data', data, ...more], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  // `close` instead of `exit`, which does not wait for the last output.
  const exited = once(child, 'close')
  const ready = once(createInterface({ input: child.stdout }), 'line')
  const first = await Promise.race([ready, exited.then(() => null)])
  if (first === null) throw new Error(errors.join('').trim())
  child.stderr.pipe(process.stderr, { end: false })
  const { uri } = JSON.parse(String(first[0])) as { uri: string }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  return { uri, child, startMs: performance.now() - started, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
