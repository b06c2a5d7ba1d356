import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { readIfThere } from '../data/private-file.ts'

/** What the built web app is made of, seen from the root of the repository. */
const sources = [
  'apps/web/{index.html,package.json,vite.config.ts,tsconfig.json}',
  'apps/web/{src,public,build}/**/*',
  'packages/{client,contracts,kit}/package.json',
  'packages/{client,contracts,kit}/src/**/*',
  'tsconfig.base.json',
  'package-lock.json'
]
const dist = 'apps/web/dist'
/** Says which sources a build was made of; inside it, so that one is never there without the other. */
const stampFile = '.sources'

/** A fingerprint of the contents of every source; tests do not count. */
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

/** Whether `apps/web/dist` was built from the sources as they are. */
export function isWebBuilt(root: string): boolean {
  const index = join(root, dist, 'index.html')
  if (!existsSync(index)) return false
  const stamp = readIfThere(join(root, dist, stampFile))
  if (stamp !== null) return stamp === sourcesStamp(root)
  // Built by hand (`npm run build`): younger than all it is made of is good enough.
  const builtAt = statSync(index).mtimeMs
  if (sourceFiles(root).some((path) => statSync(join(root, path)).mtimeMs > builtAt)) return false
  try {
    writeFileSync(join(root, dist, stampFile), sourcesStamp(root))
  } catch {
    // A service may not write beside its program: its next start compares the times again.
  }
  return true
}

/**
 * Builds the web app beside the old build and then takes its place, so that a product that runs never serves half of one.
 * @throws LaunchError with the builder's last words.
 */
export async function buildWeb(root: string, env: Readonly<Record<string, string>>): Promise<void> {
  const draft = join(root, 'node_modules/.cache', `batti-web-${process.pid}`)
  const stamp = sourcesStamp(root)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) throw new LaunchError('The packages are not installed: run npm install first.')
  rmSync(draft, { recursive: true, force: true })
  try {
    await run(root, [vite, 'build', '--outDir', draft, '--emptyOutDir'], {
      cwd: join(root, 'apps/web'),
      // A development build of React is slower and larger, whatever this process was started as.
      env: { ...env, NODE_ENV: 'production' }
    })
    writeFileSync(join(draft, stampFile), stamp)
    takePlace(root, draft)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Puts a build in the place of the old one. Two that start at once both build: what the other put there is as good. */
export function takePlace(root: string, draft: string): void {
  const old = `${draft}.old`
  for (let triesLeft = 10; !isWebBuilt(root); triesLeft -= 1) {
    // Hundreds of files go one by one: aside, for whoever is served meanwhile.
    rmSync(old, { recursive: true, force: true })
    try {
      if (existsSync(join(root, dist))) renameSync(join(root, dist), old)
      renameSync(draft, join(root, dist))
      break
    } catch (error) {
      // The other was faster by a moment.
      if (triesLeft === 0 || !existsSync(join(root, dist))) throw error
    }
  }
  rmSync(old, { recursive: true, force: true })
}

/** Why there is no build: the builder's last words, or what they mean where a service may not write beside its program. */
export const buildFault = (said: string, root: string): string =>
  /\b(?:EACCES|EPERM|EROFS)\b/.test(said)
    ? `The web app must be built anew, and the user who runs this may not write in ${root}: run npm run build there as its owner.`
    : `The web app does not build:\n${said.trim()}`

function run(
  root: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> }
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString('utf8')).slice(-4000)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new LaunchError(buildFault(said, root)))
    })
  })
}
