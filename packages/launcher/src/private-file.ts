import { isRecord, parseJson } from '@batti/kit/json'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Replaces a file as a whole, for its owner's eyes alone: a start that is cut off leaves the old one or the new one. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, path)
}

/** The file's text, or null when there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The object that a file of ours holds as JSON; null when there is no file, or no object in it. */
export function readJsonObject(path: string): Record<string, unknown> | null {
  const text = readIfThere(path)
  const value = text === null ? null : parseJson(text)
  return isRecord(value) ? value : null
}
