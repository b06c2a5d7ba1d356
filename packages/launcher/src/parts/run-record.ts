import { FolderInUse, lockInside } from '@batti/embedded-mongo/folder-lock'
import { isRecord } from '@batti/kit/json'
import { replaceFile } from '@batti/kit/node/durable-file'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { readJsonObject } from '../data/private-file.ts'
import { thisMachine, type ProcessTable } from './process-table.ts'

/** Records in a data folder which processes use it, so that two launchers never share it, and no process is orphaned. */
export interface RunRecord {
  /** Locks the folder, and kills the parts that a dead launcher left running. @throws LaunchError when it is in use. */
  clear(): void
  /** Claims the folder. */
  take(): void
  /** Locks the folder for a command. Returns the release function. @throws LaunchError when it is in use. */
  holdStopped(): () => void
  /** Returns the process id of the launcher that uses the folder, or null. Changes nothing. */
  runningLauncher(): number | null
  /** Stores the running processes and the address of their database. @throws the system's error when it cannot be written. */
  note(pids: readonly number[], database?: string | null): void
  /** Releases the folder if it still belongs to this launcher. */
  release(): void
}

export const folderInUse = (folder: string): string =>
  `${folder} is in use by another process: stop Batti there, or choose another folder with --data.`

/** Returns the database address of a running launcher; null while it starts, or when none runs. */
export const runningDatabase = (folder: string): string | null => {
  const database = readJsonObject(join(folder, 'run.json'))?.['database']
  return typeof database === 'string' ? database : null
}

/**
 * The record survives a killed launcher, and a copy of the folder contains it, too. So an entry counts only in the folder
 * that it was written for, and only for a process with the same start time. The lock beside it ends with its process, and
 * also holds against a launcher in another container, where process ids say nothing.
 */
export function createRunRecord(folder: string, pid: number, processes: ProcessTable = thisMachine): RunRecord {
  const path = join(folder, 'run.json')
  const lockPath = join(folder, 'run.lock')
  let unlock = (): void => undefined
  /** The start time of each recorded process. */
  let starts = new Map<number, string | null>()

  function write(parts: readonly number[], database: string | null = null): void {
    starts = new Map([pid, ...parts].map((id) => [id, starts.get(id) ?? processes.startOf(id)]))
    const noted = { folder: realpathSync(folder), launcher: pid, parts, started: Object.fromEntries(starts), database }
    // No fsync: after a power cut none of these processes runs.
    replaceFile(path, `${JSON.stringify(noted)}\n`, false)
  }

  /** Returns the ids of the recorded launcher and parts that still run. */
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

  /** Locks the folder. Returns the parts that a dead launcher left running. @throws LaunchError from `refusal`. */
  function lock(isCreated: boolean, refusal: (launcher: number | null) => string): number[] {
    let held = (): void => undefined
    try {
      if (isCreated || existsSync(lockPath)) held = lockInside(folder, lockPath)
    } catch (error) {
      throw error instanceof FolderInUse ? new LaunchError(refusal(running().launcher)) : error
    }
    const { launcher, parts } = running()
    if (launcher !== null) {
      held()
      throw new LaunchError(refusal(launcher))
    }
    unlock = held
    return parts
  }

  return {
    clear() {
      const parts = lock(true, (launcher) =>
        launcher === null
          ? folderInUse(folder)
          : `Batti is already running on ${folder} (process ${launcher}): stop that, or choose another folder with --data.`
      )
      for (const part of parts) processes.kill(part)
    },
    take: () => write([]),
    holdStopped() {
      // Without the file no launcher runs. A new one would be kept by a restore as what was there.
      lock(false, (launcher) =>
        launcher === null
          ? `${folder} is in use by another process: stop that, and try again.`
          : `Batti is running on ${folder} (process ${launcher}): stop it, and try again.`
      )
      return () => unlock()
    },
    runningLauncher: () => running().launcher,
    note: write,
    release() {
      if (isOwn()) rmSync(path, { force: true })
      unlock()
    }
  }
}
