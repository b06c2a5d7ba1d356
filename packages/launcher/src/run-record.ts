import { isRecord } from '@batti/kit/json'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './launch-error.ts'
import { readJsonObject, writePrivateFile } from './private-file.ts'

/** Who runs on a data folder: kept in it, so that two launchers never share one, and nobody is left behind. */
export interface RunRecord {
  /** Takes the folder. Ends what a launcher that died left running. @throws LaunchError when one is running. */
  take(): void
  /** The process of the launcher that runs on the folder, or null. Changes nothing. */
  runningLauncher(): number | null
  /** Notes the processes that run now, and where their database is. @throws the system's error when it cannot be written. */
  note(pids: readonly number[], database?: string | null): void
  release(): void
}

/** Where the database of a running launcher answers; null while it starts, or when none runs. */
export const runningDatabase = (folder: string): string | null => {
  const database = readJsonObject(join(folder, 'run.json'))?.['database']
  return typeof database === 'string' ? database : null
}

interface ProcessTable {
  /** The command line of a running process; '' when it runs but cannot be read; null when there is none. */
  commandOf(pid: number): string | null
  kill(pid: number): void
}

const launcherScript = /launcher\/src\/(?:program\/)?main\.ts/
const partScripts =
  /(?:apps\/(?:api|broker)\/src|firmware-sim\/src|embedded-mongo\/src|launcher\/src\/home)\/main\.ts|vite\/bin\/vite\.js/

export function createRunRecord(folder: string, pid: number, processes: ProcessTable = thisMachine): RunRecord {
  const path = join(folder, 'run.json')
  const write = (parts: readonly number[], database: string | null = null): void =>
    writePrivateFile(path, `${JSON.stringify({ launcher: pid, parts, database })}\n`)
  const isLauncher = (id: unknown): id is number => isRunning(id, (command) => launcherScript.test(command))

  return {
    take() {
      const before = readJsonObject(path)
      if (before !== null) {
        const launcher = before['launcher']
        if (isLauncher(launcher) && launcher !== pid) {
          throw new LaunchError(
            `Batti is already running on ${folder} (process ${String(launcher)}): stop that, or choose another folder with --data.`
          )
        }
        const left: unknown[] = Array.isArray(before['parts']) ? before['parts'] : []
        for (const part of left) if (isRunning(part, (command) => partScripts.test(command))) processes.kill(part)
      }
      write([])
    },
    runningLauncher() {
      const launcher = readJsonObject(path)?.['launcher']
      return isLauncher(launcher) && launcher !== pid ? launcher : null
    },
    note: write,
    release: () => rmSync(path, { force: true })
  }

  /** A number of a process may have gone to a stranger since, so its command line must be ours too. */
  function isRunning(id: unknown, isOurs: (command: string) => boolean): id is number {
    if (typeof id !== 'number' || !Number.isInteger(id) || id <= 0) return false
    const command = processes.commandOf(id)
    return command !== null && isOurs(command.replaceAll('\\', '/'))
  }
}

export const thisMachine: ProcessTable = {
  commandOf(pid) {
    try {
      process.kill(pid, 0)
    } catch (error) {
      if (!isRecord(error) || error['code'] !== 'EPERM') return null
    }
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
    }
  },
  kill(pid) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
}
