import { isRecord, parseJson } from '@batti/kit/json'
import { watch } from 'chokidar'
import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Part } from './parts.ts'

/** An editor or git changes several files at once. */
const pauseMs = 150
const isProgramText = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.test.ts')

/**
 * Calls `changed` with each watched part whose code has changed. Node's own `--watch` loses a file that an editor or git has
 * replaced as a whole. Resolves with a function that ends it, once all folders are watched.
 */
export async function watchCode(
  root: string,
  parts: readonly Part[],
  changed: (part: Part) => void
): Promise<() => Promise<void>> {
  const foldersOf = new Map(
    parts.filter((part) => part.isWatched).map((part) => [part, codeFolders(root, part.program)])
  )
  const pending = new Set<Part>()
  let pause: NodeJS.Timeout | undefined
  const watcher = watch([...new Set([...foldersOf.values()].flat())], {
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !isProgramText(path)
  })
  watcher.on('all', (_event, path) => {
    for (const [part, folders] of foldersOf)
      if (folders.some((folder) => path.startsWith(folder + sep))) pending.add(part)
    clearTimeout(pause)
    pause = setTimeout(() => {
      for (const part of pending) changed(part)
      pending.clear()
    }, pauseMs)
  })
  await new Promise<void>((resolve) => watcher.once('ready', resolve))
  return async () => {
    clearTimeout(pause)
    await watcher.close()
  }
}

/** Returns the `src` folders of the program's workspace and of the workspaces that it depends on. */
export function codeFolders(root: string, program: string): string[] {
  const workspaces = new Set<string>()
  function add(workspace: string): void {
    if (workspaces.has(workspace)) return
    workspaces.add(workspace)
    const manifest = parseJson(readFileSync(join(workspace, 'package.json'), 'utf8'))
    const dependencies = isRecord(manifest) && isRecord(manifest['dependencies']) ? manifest['dependencies'] : {}
    for (const name of Object.keys(dependencies))
      if (name.startsWith('@batti/')) add(realpathSync(join(root, 'node_modules', name)))
  }
  add(program.slice(0, program.lastIndexOf(`${sep}src${sep}`)))
  return [...workspaces].map((workspace) => join(workspace, 'src'))
}
