import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemClock } from '@batti/kit/clock'
import {
  bundleFolder,
  bundleFolderOfImage,
  bundleIn,
  causeOf,
  isBundled,
  keepBundles,
  makeBundles,
  programs
} from './bundle/bundles.ts'
import { readSettings } from './config.ts'
import { readCommandLine } from './launch/options.ts'

const root = resolve(import.meta.dirname, '../../..')
const line = readCommandLine(process.argv.slice(2), { root, cwd: root })

// `--dev` and runs that end at once use the sources; everything else uses bundles.
const folder = 'run' in line && !line.run.dev ? await ensureBundles() : null
if (folder === null) await import('./launch/main.ts')
else goOn(bundleIn(folder, programs.launcher))

/** Returns the folder of the bundles, which it makes if necessary; null when that fails, and the sources are used. */
async function ensureBundles(): Promise<string | null> {
  if (isBundled(bundleFolderOfImage(root))) return bundleFolderOfImage(root)
  const wanted = bundleFolder(root)
  const now = new Date(systemClock.now())
  try {
    if (isBundled(wanted)) keepBundles(wanted, now)
    else {
      process.stderr.write('Preparing the programs …\n')
      await makeBundles({ root, folder: wanted }, now)
    }
    return wanted
  } catch (error) {
    process.stderr.write(`The programs run from their sources, which takes more memory: ${causeOf(error)}\n`)
    return null
  }
}

/** Replaces this process with the program, which frees this one's memory. Imports the program where that is impossible. */
function goOn(program: string): void {
  // `execve` would close an IPC channel to the parent process.
  if (process.execve === undefined || process.platform === 'win32' || process.channel !== undefined) {
    void import(pathToFileURL(program).href)
    return
  }
  const env = { ...readSettings().env, NODE_COMPILE_CACHE: resolve(root, 'node_modules/.cache/node') }
  const own = ['--v8-pool-size=0', '--max-semi-space-size=1', '--lite-mode']
  // Node writes the cache when a process exits, which this one does not.
  flushCompileCache()
  process.execve(process.execPath, [process.execPath, ...own, program, ...process.argv.slice(2)], env)
}
