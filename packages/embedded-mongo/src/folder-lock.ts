import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { DataFolder } from './data-folder.ts'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * One process per data folder: two would write beside each other's caches. The lock names its
 * process, so that one left by a crash is taken over. Returns what lets go of it.
 */
export const takeFolder = ({ folder }: Pick<DataFolder, 'folder'>): (() => void) => {
  const path = join(folder, 'lock')
  if (existsSync(path)) {
    const pid = Number(readFileSync(path, 'utf8').trim())
    if (Number.isInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid)) {
      throw new Error(`The data folder ${folder} is in use by process ${pid}.`)
    }
    rmSync(path, { force: true })
  }
  const file = openSync(path, 'wx', 0o600)
  writeSync(file, String(process.pid))
  closeSync(file)
  return () => rmSync(path, { force: true })
}
