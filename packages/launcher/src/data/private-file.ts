import { isRecord, parseJson } from '@batti/kit/json'
import { replaceFile } from '@batti/kit/node/durable-file'
import { readFileSync } from 'node:fs'

/** Replaces a file atomically, readable by its owner only: a crash or power cut leaves the old or the new one. */
export const writePrivateFile = (path: string, text: string): void => replaceFile(path, text, true)

/** Reads a file; null when it does not exist. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Reads a JSON object from a file; null when there is no file, or no object in it. */
export function readJsonObject(path: string): Record<string, unknown> | null {
  const text = readIfThere(path)
  const value = text === null ? null : parseJson(text)
  return isRecord(value) ? value : null
}
