import { join } from 'node:path'
import { holdsDatabase } from './data-folder.ts'
import { readJsonObject, writePrivateFile } from './private-file.ts'

/** The kind that a data folder began as. It never changes: a real home is never filled with demo boards. */
export type HomeKind = 'empty' | 'demo'

/**
 * Reads the kind of the folder, or decides it at the first start. A database without a readable kind is in use: production
 * notes none, and its homes are started outside of production to test a backup.
 */
export function beginHome(data: string, isEmptyAsked: boolean): { kind: HomeKind; isFinished: boolean } {
  const path = homeFile(data)
  const before = readJsonObject(path)
  if (before?.['home'] === 'empty' || before?.['home'] === 'demo') {
    return { kind: before['home'], isFinished: before['finished'] === true }
  }
  const isEmpty = isEmptyAsked || holdsDatabase(data)
  const kind = isEmpty ? 'empty' : 'demo'
  writeHome(data, kind, isEmpty)
  return { kind, isFinished: isEmpty }
}

const homeFile = (data: string): string => join(data, 'home.json')

export const writeHome = (data: string, home: HomeKind, finished: boolean): void =>
  writePrivateFile(homeFile(data), `${JSON.stringify({ home, finished })}\n`)
