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

export function describeInstallation(data: string, { mongodbUri, env }: Settings): Installation {
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
