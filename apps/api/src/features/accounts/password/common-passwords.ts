import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Reads the list of passwords that are refused: one a line; lines that begin with `#` are comments. */
export function readCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(resolve(import.meta.dirname, 'common-passwords.txt'), 'utf8')
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
}
