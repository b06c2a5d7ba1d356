import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Returns the syncs and renames while `work` runs, in order: `sync PATH`, `rename PATH`. */
export async function watchDisk(work: () => unknown): Promise<string[]> {
  const { openSync, fsyncSync, renameSync } = fs
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
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, { openSync, fsyncSync, renameSync })
    syncBuiltinESMExports()
  }
  return seen
}
