import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { runApart } from '../apart.ts'

/**
 * Each program of a home as one file of plain JavaScript, made once from the sources and kept until they change: node then
 * neither strips types, which costs each process 12 MiB, nor opens a thousand files.
 */
export const programs = {
  launcher: 'packages/launcher/src/launch/main.ts',
  fillHome: 'packages/launcher/src/demo/fill-home-apart.ts',
  certificate: 'packages/launcher/src/certificates/certificate-apart.ts',
  database: 'packages/embedded-mongo/src/main.ts',
  broker: 'apps/broker/src/main.ts',
  api: 'apps/api/src/main.ts',
  passwords: 'apps/api/src/features/accounts/password-worker.ts',
  home: 'packages/launcher/src/home/main.ts',
  boards: 'firmware-sim/src/main.ts'
} as const

/** Folders with what they are made of, seen from the root of the repository. */
const sourceFolders = (root: string): string[] => [
  'apps/api/src',
  'apps/broker/src',
  'firmware-sim/src',
  ...namesIn(join(root, 'packages')).map((name) => join('packages', name, 'src'))
]
const lockFile = 'package-lock.json'
const isForTests = (path: string): boolean => /(?:\.test\.ts|[\\/]testing[\\/].*|[\\/]test[\\/].*)$/.test(path)
/** Of versions that nobody has started for so long, nothing is kept. */
const keptMs = 7 * 86_400_000

export interface BundleTask {
  root: string
  /** Where they go. */
  folder: string
}

/** Every start looks through all of them: `globSync` takes three times as long. */
function namesIn(folder: string, { recursive = false } = {}): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive, encoding: 'utf8' }) : []
}

/** Under its source's own name, so that a list of processes says what runs. */
export const bundleIn = (folder: string, source: string): string => join(folder, `${source}.mjs`)

/**
 * The folder for the sources as they are now: paths, sizes and times tell them apart. Where they stand counts too, for what
 * is made of them holds whole paths.
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

/** Made together with a container's image: there the sources never change, and nothing can be written later. */
export const bundleFolderOfImage = (root: string): string => join(root, 'node_modules/.cache/batti/image')

export const isBundled = (folder: string): boolean => existsSync(folder)

/** Makes them, and forgets those of sources that are long gone. @throws Error with the bundler's words. */
export async function makeBundles(task: BundleTask, now: Date): Promise<void> {
  await runApart(new URL('./make-bundles.ts', import.meta.url), task, () => undefined)
  const all = join(task.folder, '..')
  for (const name of readdirSync(all)) {
    const folder = join(all, name)
    // The draft of another start has its own name by now.
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found !== undefined && found.mtimeMs < now.getTime() - keptMs) rmSync(folder, { recursive: true, force: true })
  }
}

/** Notes that they are in use. */
export function keepBundles(folder: string, now: Date): void {
  try {
    utimesSync(folder, now, now)
  } catch {
    // Where nothing can be written, nothing is removed either.
  }
}
