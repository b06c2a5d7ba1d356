import { isRecord } from '@batti/kit/json'
import { replaceFile } from '@batti/kit/node/durable-file'
import { realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { readJsonObject } from '../data/private-file.ts'
import { thisMachine, type ProcessTable } from './process-table.ts'

/** Who runs on a data folder: kept in it, so that two launchers never share one, and nobody is left behind. */
export interface RunRecord {
  /** Ends what a launcher that died left running. @throws LaunchError when one is running. */
  clear(): void
  /** Takes the folder. */
  take(): void
  /** The process of the launcher that runs on the folder, or null. Changes nothing. */
  runningLauncher(): number | null
  /** Notes the processes that run now, and where their database is. @throws the system's error when it cannot be written. */
  note(pids: readonly number[], database?: string | null): void
  /** Lets go of the folder, where it is still this launcher's. */
  release(): void
}

/** Where the database of a running launcher answers; null while it starts, or when none runs. */
export const runningDatabase = (folder: string): string | null => {
  const database = readJsonObject(join(folder, 'run.json'))?.['database']
  return typeof database === 'string' ? database : null
}

/**
 * The record outlives a launcher that is killed, and a copy of the folder takes it along: a process is believed to be the one
 * that was noted only in this folder, and only if it started when that one did.
 */
export function createRunRecord(folder: string, pid: number, processes: ProcessTable = thisMachine): RunRecord {
  const path = join(folder, 'run.json')
  /** When each process that is noted now started. */
  let starts = new Map<number, string | null>()

  function write(parts: readonly number[], database: string | null = null): void {
    starts = new Map([pid, ...parts].map((id) => [id, starts.get(id) ?? processes.startOf(id)]))
    const noted = { folder: realpathSync(folder), launcher: pid, parts, started: Object.fromEntries(starts), database }
    // It says what runs: after a power cut that is nothing.
    replaceFile(path, `${JSON.stringify(noted)}\n`, false)
  }

  /** The numbers of the launcher and the parts that were noted and still run. */
  function running(): { launcher: number | null; parts: number[] } {
    const noted = readJsonObject(path)
    if (noted === null || noted['folder'] !== realpathSync(folder)) return { launcher: null, parts: [] }
    const { launcher, parts, started } = noted
    const isRunning = (id: unknown): id is number => {
      if (typeof id !== 'number' || !isRecord(started)) return false
      const start = started[id]
      return typeof start === 'string' && processes.startOf(id) === start
    }
    return {
      launcher: isRunning(launcher) && launcher !== pid ? launcher : null,
      parts: Array.isArray(parts) ? parts.filter(isRunning) : []
    }
  }

  function isOwn(): boolean {
    const { launcher, started } = readJsonObject(path) ?? {}
    return launcher === pid && isRecord(started) && started[pid] === processes.startOf(pid)
  }

  return {
    clear() {
      const { launcher, parts } = running()
      if (launcher !== null)
        throw new LaunchError(
          `Batti is already running on ${folder} (process ${launcher}): stop that, or choose another folder with --data.`
        )
      for (const part of parts) processes.kill(part)
    },
    take: () => write([]),
    runningLauncher: () => running().launcher,
    note: write,
    release() {
      if (isOwn()) rmSync(path, { force: true })
    }
  }
}
