import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Makes a folder for one test, which is removed after its `afterEach`. `name` shows whose it is. */
export function testFolder(name: string): string {
  const folder = fs.mkdtempSync(join(tmpdir(), `batti-${name}-`))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  return folder
}

/** Returns the syncs and renames while `work` runs, in order: `sync PATH`, `rename PATH`. */
export async function watchDisk(work: () => unknown): Promise<string[]> {
  const { openSync, fsyncSync, renameSync } = fs
  const { open, rename } = fs.promises
  const seen: string[] = []
  const paths = new Map<number, string>()
  fs.openSync = (path, ...rest) => {
    const file = openSync(path, ...rest)
    paths.set(file, String(path))
    return file
  }
  fs.fsyncSync = (file) => {
    fsyncSync(file)
    seen.push(`sync ${paths.get(file) ?? file}`)
  }
  fs.renameSync = (from, to) => {
    renameSync(from, to)
    seen.push(`rename ${String(from)}`)
  }
  fs.promises.open = async (path, ...rest) => {
    const file = await open(path, ...rest)
    const sync = file.sync.bind(file)
    file.sync = async () => {
      await sync()
      seen.push(`sync ${String(path)}`)
    }
    return file
  }
  fs.promises.rename = async (from, to) => {
    await rename(from, to)
    seen.push(`rename ${String(from)}`)
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, { openSync, fsyncSync, renameSync })
    Object.assign(fs.promises, { open, rename })
    syncBuiltinESMExports()
  }
  return seen
}

/**
 * Runs a program while the caller waits, and returns its output as text. The time-out of a test cannot end such a program,
 * because nothing else runs meanwhile.
 * @throws Error with the output so far if the program has not ended after 100 s; it is killed.
 */
export function runToEnd(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {}
) {
  const { timeoutMs: timeout = 100_000, ...place } = options
  const ended = spawnSync(command, args, { ...place, encoding: 'utf8', timeout, killSignal: 'SIGKILL' })
  if (ended.error !== undefined && 'code' in ended.error && ended.error.code === 'ETIMEDOUT')
    throw new Error(`${[command, ...args].join(' ')} did not end:\n${ended.stdout}${ended.stderr}`)
  return ended
}
