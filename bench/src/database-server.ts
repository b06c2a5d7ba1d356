import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../packages/embedded-mongo/src/main.ts', import.meta.url))

export interface DatabaseServer {
  uri: string
  file: string
  /** From starting the process to the line that says ready. */
  startMs: number
  residentMib(): number
  pid(): number
  /** Stops it and starts it again on the same data. */
  restart(): Promise<void>
  /** Stops it, so that its file can be opened alone, until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/** The embedded database as a process of its own, on an empty folder. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'batti-bench-database-'))
  let running = await start(folder)
  return {
    get uri() {
      return running.uri
    },
    get startMs() {
      return running.startMs
    },
    file: join(folder, 'batti.db'),
    residentMib: () => {
      const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))
      return Number(line?.[1] ?? Number.NaN) / 1024
    },
    pid: () => running.pid,
    restart: async () => {
      await running.stop()
      running = await start(folder)
    },
    pause: () => running.stop(),
    resume: async () => {
      running = await start(folder)
    },
    stop: async () => {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function start(folder: string): Promise<{ uri: string; startMs: number; pid: number; stop(): Promise<void> }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, '--data', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { uri } = JSON.parse(line) as { uri: string }
  return {
    uri,
    startMs: performance.now() - startedAt,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM')
      await exited
    }
  }
}
