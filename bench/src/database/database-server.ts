import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '../../../packages/embedded-mongo/src/testing/server-process.ts'
import { residentKib } from '../figures/process-usage.ts'

export interface DatabaseServer {
  uri: string
  file: string
  /** Time from the start of the process to its ready line. */
  startMs: number
  residentMib(): number
  pid(): number
  /** Restarts it on the same data. */
  restart(): Promise<void>
  /** Stops it until `resume`, so that its file can be opened directly. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/** Starts the embedded database in its own process, on an empty folder. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'batti-bench-database-'))
  let running = await startServerProcess(folder)
  const pid = (): number => running.child.pid ?? 0
  return {
    get uri() {
      return running.uri
    },
    get startMs() {
      return running.startMs
    },
    file: join(folder, 'batti.db'),
    residentMib: () => (residentKib(pid()) ?? Number.NaN) / 1024,
    pid,
    restart: async () => {
      await running.stop()
      running = await startServerProcess(folder)
    },
    pause: () => running.stop(),
    resume: async () => {
      running = await startServerProcess(folder)
    },
    stop: async () => {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
