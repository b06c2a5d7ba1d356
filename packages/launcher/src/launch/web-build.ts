import { syncTree } from '@batti/kit/node/durable-file'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { removeLeftDrafts } from '../left-drafts.ts'
import { readIfThere } from '../data/private-file.ts'

/** The sources of the web app, relative to the root of the repository. */
const sources = [
  'apps/web/{index.html,package.json,vite.config.ts,tsconfig.json}',
  'apps/web/{src,public,build}/**/*',
  'packages/{client,contracts,kit}/package.json',
  'packages/{client,contracts,kit}/src/**/*',
  'tsconfig.base.json',
  'package-lock.json'
]
const dist = 'apps/web/dist'
/** Holds the fingerprint of a build's sources. It is inside the build, so that neither exists without the other. */
const stampFile = '.sources'
const parentWatchdog = new URL('../parts/parent-watchdog.ts', import.meta.url).href

/** Returns a fingerprint of the contents of all sources except tests. */
export function sourcesStamp(root: string): string {
  const hash = createHash('sha256')
  for (const path of sourceFiles(root)) {
    hash.update(`${path}\0`)
    hash.update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function sourceFiles(root: string): string[] {
  return globSync(sources, { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path) && statSync(join(root, path)).isFile())
    .toSorted()
}

/** Tells whether `apps/web/dist` was built from the present sources. */
export function isWebBuilt(root: string): boolean {
  const index = join(root, dist, 'index.html')
  if (!existsSync(index)) return false
  const stamp = readIfThere(join(root, dist, stampFile))
  if (stamp !== null) return stamp === sourcesStamp(root)
  // Built with `npm run build`: accept it when it is newer than all its sources.
  const builtAt = statSync(index).mtimeMs
  if (sourceFiles(root).some((path) => statSync(join(root, path)).mtimeMs > builtAt)) return false
  try {
    writeFileSync(join(root, dist, stampFile), sourcesStamp(root))
  } catch {
    // A service may lack the right to write here. Its next start compares the times again.
  }
  return true
}

/**
 * Builds the web app in a temporary folder and then replaces the old build, so that a running product never serves half of
 * one. @throws LaunchError with the end of the builder's output.
 */
export async function buildWeb(root: string, env: Readonly<Record<string, string>>): Promise<void> {
  const draft = join(root, 'node_modules/.cache', `batti-web-${process.pid}`)
  const stamp = sourcesStamp(root)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) throw new LaunchError('The packages are not installed: run npm install first.')
  removeLeftDrafts(dirname(draft), /^batti-web-(\d+)/)
  try {
    await run(root, [vite, 'build', '--outDir', draft, '--emptyOutDir'], {
      cwd: join(root, 'apps/web'),
      // Never bundle the development build of React, which is slower and larger.
      env: { ...env, NODE_ENV: 'production' }
    })
    writeFileSync(join(draft, stampFile), stamp)
    // The stamp says that the build is complete, which must be so after a power cut, too.
    syncTree(draft)
    takePlace(root, draft)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Replaces the old build. When two starts build at the same time, the build of either one is kept. */
export function takePlace(root: string, draft: string): void {
  const old = `${draft}.old`
  for (let triesLeft = 10; !isWebBuilt(root); triesLeft -= 1) {
    // Rename the old build before its removal: hundreds of files are removed one by one while it may be served.
    rmSync(old, { recursive: true, force: true })
    try {
      if (existsSync(join(root, dist))) renameSync(join(root, dist), old)
      renameSync(draft, join(root, dist))
      break
    } catch (error) {
      // Another start was faster: check its build.
      if (triesLeft === 0 || !existsSync(join(root, dist))) throw error
    }
  }
  rmSync(old, { recursive: true, force: true })
}

/** Explains a failed build: the end of the builder's output, or advice when the builder could not write. */
export function buildFault(said: string, root: string): string {
  if (/\b(?:EACCES|EPERM|EROFS)\b/.test(said))
    return `The web app must be built anew, and the user who runs this may not write in ${root}: run npm run build there as its owner.`
  if (/\b(?:ENOSPC|EDQUOT)\b/.test(said))
    return `The disk is full: the web app cannot be built in ${root}. Make room, and start again.`
  return `The web app does not build:\n${said.trim()}`
}

function run(
  root: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> }
): Promise<void> {
  return new Promise((resolve, reject) => {
    // The builder ends with this process, however that ends.
    const child = spawn(process.execPath, ['--import', parentWatchdog, ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    let said = ''
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString('utf8')).slice(-4000)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new LaunchError(buildFault(said, root)))
    })
  })
}
