import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config.ts'

/** Where the parts of one installation lie. */
export interface Installation {
  data: string
  /** The embedded engine's folder and its file. */
  database: { folder: string; file: string }
  /** Null: embedded. */
  mongodbUri: string | null
  /** Uploads; elsewhere than in the data folder where `DATA_DIR` says so. */
  files: string
  env: Settings['env']
}

/** What is kept in an archive beside the database and the uploads: names in the data folder. */
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

export const hasEmbeddedDatabase = ({ database }: Installation): boolean => existsSync(database.file)

/** A URI as it may be shown: the password stays out. */
export const shownUri = (uri: string): string => uri.replace(/\/\/([^:@/]*):[^@]*@/, '//$1:…@')
