import { isRecord, parseJson } from '@batti/kit/json'
import { replaceFile } from '@batti/kit/node/durable-file'
import { readFileSync } from 'node:fs'

/** Replaces a file as a whole, for its owner's eyes alone: a start or the power that is cut off leaves the old or the new one. */
export const writePrivateFile = (path: string, text: string): void => replaceFile(path, text, true)

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
