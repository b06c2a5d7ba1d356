import type { Timers } from '@batti/kit/clock'
import { dayMs, minuteMs } from '@batti/kit/durations'
import { messageOf } from '@batti/kit/message-of'
import { syncTree } from '@batti/kit/node/durable-file'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInChild } from '../child-task.ts'

/**
 * The programs of a home. Each is bundled into one JavaScript file, which is cached until its sources change. Node then
 * neither strips types, which costs each process 12 MiB, nor opens a thousand files.
 */
export const programs = {
  launcher: 'packages/launcher/src/launch/main.ts',
  fillHome: 'packages/launcher/src/demo/fill-home-task.ts',
  certificate: 'packages/launcher/src/certificates/certificate-task.ts',
  database: 'packages/embedded-mongo/src/main.ts',
  broker: 'apps/broker/src/main.ts',
  api: 'apps/api/src/main.ts',
  passwords: 'apps/api/src/features/accounts/password/password-worker.ts',
  home: 'packages/launcher/src/home/main.ts',
  /** What `home` loads by itself. */
  homeProgram: 'packages/launcher/src/home/home.ts',
  boards: 'firmware-sim/src/main.ts'
} as const

/** The folders of their sources, relative to the root of the repository. */
const sourceFolders = (root: string): string[] => [
  'apps/api/src',
  'apps/broker/src',
  'firmware-sim/src',
  ...namesIn(join(root, 'packages')).map((name) => join('packages', name, 'src'))
]
const lockFile = 'package-lock.json'
const isForTests = (path: string): boolean => /(?:\.test\.ts|[\\/]testing[\\/].*|[\\/]test[\\/].*)$/.test(path)
/** Bundles that were not started for this long are removed. */
const keptMs = 7 * dayMs
const lookEveryMs = minuteMs

export interface BundleTask {
  root: string
  /** The output folder. */
  folder: string
}

/** Lists a folder. Not `globSync`, which takes three times as long: every start lists all sources. */
function namesIn(folder: string, { recursive = false } = {}): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive, encoding: 'utf8' }) : []
}

/** Returns the path of a bundle. It contains the path of the source, so that a process list shows which program runs. */
export const bundleIn = (folder: string, source: string): string =>
  join(folder, `${source}.${isCommonJs(source) ? 'cjs' : 'mjs'}`)

/** Whether a program is loaded by `load-program.ts`. */
export const isCommonJs = (source: string): boolean => source === programs.homeProgram

/**
 * Returns the bundle folder for the present sources, identified by their paths, sizes and times. The root counts too,
 * because bundles contain absolute paths.
 */
export function bundleFolder(root: string): string {
  const hash = createHash('sha256').update(`${process.version}\0${root}\0`)
  const sources = sourceFolders(root).flatMap((folder) =>
    namesIn(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
  )
  for (const path of [lockFile, ...sources.filter((name) => !isForTests(name)).toSorted()]) {
    const { size, mtimeMs } = statSync(join(root, path), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 }
    hash.update(`${path}\0${size}\0${mtimeMs}\0`)
  }
  return join(root, 'node_modules/.cache/batti', hash.digest('hex').slice(0, 16))
}

/** The bundle folder of a container image: its sources never change, and nothing can be written there later. */
export const bundleFolderOfImage = (root: string): string => join(root, 'node_modules/.cache/batti/image')

export const isBundled = (folder: string): boolean => existsSync(folder)

/** Renames finished bundles to their folder. @throws Error when one is missing. */
export function takePlace(draft: string, folder: string): void {
  if (Object.values(programs).some((source) => !existsSync(bundleIn(draft, source))))
    throw new Error(`${draft} was removed while programs were written to it`)
  // After a power cut, later starts must not find empty programs.
  syncTree(draft)
  renameSync(draft, folder)
}

/** Returns the cause of a failed bundling as one line: the bundler prints the system's error below its own. */
export function causeOf(error: unknown): string {
  const lines = messageOf(error).split('\n')
  return (lines[lines.indexOf('Caused by:') + 1] ?? '').trim()
}

/** Makes the bundles, and removes old ones that are out of use. @throws Error with the bundler's message. */
export async function makeBundles(task: BundleTask, now: Date): Promise<void> {
  await runInChild(new URL('./make-bundles.ts', import.meta.url), task, () => undefined)
  removeOldBundles(task.folder, now)
}

/** Never removes those in `made`, whose time may be far behind `now`: a clock is set back, or the disk's server has its own. */
export function removeOldBundles(made: string, now: Date): void {
  const all = dirname(made)
  for (const name of readdirSync(all)) {
    const folder = join(all, name)
    // Another start may have renamed its draft in the meantime.
    const found = folder === made ? undefined : statSync(folder, { throwIfNoEntry: false })
    if (found !== undefined && found.mtimeMs < now.getTime() - keptMs) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Keeps the bundles of a running home, which restarts its parts from them: another start, as of a newer version on other
 * ports, may make bundles and remove old ones. Calls `removed` when they are gone. Returns a stop function.
 */
export function keepInUse(folder: string, clock: Timers, removed: () => void): () => void {
  let isThere = true
  let markedAt = clock.monotonic()
  const look = (): void => {
    const wasThere = isThere
    isThere = isBundled(folder)
    if (wasThere && !isThere) removed()
    if (clock.monotonic() - markedAt >= dayMs) {
      keepBundles(folder, new Date(clock.now()))
      markedAt = clock.monotonic()
    }
    cancel = clock.after(lookEveryMs, look)
  }
  let cancel = clock.after(lookEveryMs, look)
  return () => cancel()
}

/** Marks the bundles as in use, so that `makeBundles` does not remove them. */
export function keepBundles(folder: string, now: Date): void {
  try {
    utimesSync(folder, now, now)
  } catch {
    // In a read-only folder nothing is removed either.
  }
}
