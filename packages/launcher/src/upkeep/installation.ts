import { linkTarget } from '@batti/kit/node/folders'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { holdsDatabase } from '../data/data-folder.ts'

/** The locations of an installation's data. */
export interface Installation {
  data: string
  /** The embedded engine's folder and its file. */
  database: { folder: string; file: string }
  /** Null: embedded. */
  mongodbUri: string | null
  /** Folder of the uploads; outside the data folder if `DATA_DIR` is set. */
  files: string
  env: Settings['env']
}

/** Names in the data folder that an archive contains, besides the database and the uploads. */
export const keptNames = ['secrets.json', 'home.json', 'ports.json', 'known-accounts.json', 'certs', 'boards'] as const

/**
 * Returns the folder that `path` leads to if it is a symbolic link, also a missing one: what is made beside the data folder
 * and renamed to it must be on the same disk.
 */
export function folderBehind(path: string): string {
  const target = linkTarget(path)
  return target === null ? path : existsSync(path) ? realpathSync(path) : target
}

export function describeInstallation(path: string, { mongodbUri, env }: Settings): Installation {
  const data = folderBehind(path)
  const folder = join(data, 'db')
  return {
    data,
    database: { folder, file: join(folder, 'batti.db') },
    mongodbUri,
    files: env['DATA_DIR'] ?? join(data, 'api'),
    env
  }
}

export const hasEmbeddedDatabase = ({ data }: Installation): boolean => holdsDatabase(data)

/** Returns a URI without its password, for messages. */
export const shownUri = (uri: string): string => uri.replace(/\/\/([^:@/]*):[^@]*@/, '//$1:…@')
