import { isRecord, parseJson } from '@batti/kit/json'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const manifest = resolve(import.meta.dirname, '../../../../package.json')

/** Returns the version of the whole product from its package.json. */
export function productVersion(): string {
  try {
    const read = parseJson(readFileSync(manifest, 'utf8'))
    const version = isRecord(read) ? read['version'] : undefined
    return typeof version === 'string' ? version : 'unknown'
  } catch {
    return 'unknown'
  }
}
