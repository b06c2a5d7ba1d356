import { calledFrom } from '@batti/kit/node/config'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemNow } from './clock.ts'
import { dataFolderAt, openDataFolder, type DataFolder } from './data-folder.ts'
import { backup, restore } from './maintenance/backup.ts'
import { dumpFolder } from './maintenance/dump.ts'
import { exportFolder } from './maintenance/export.ts'
import { importFiles } from './maintenance/import.ts'
import { checkFile } from './maintenance/integrity.ts'
import { readStats } from './maintenance/stats.ts'
import { startFailure } from './start-failure.ts'

const USAGE = `npm run db -- COMMAND [--data FOLDER]

  backup FILE                    copy the database while it is in use
  restore FILE                   put a backup in its place (the server stopped); the old file is kept
  export FOLDER [--db NAME]      Extended JSON lines, which mongoimport reads
  dump FOLDER [--db NAME]        BSON and metadata, which mongorestore reads: documents and indexes
  import PATH [--collection DB.NAME]
                                 what export, dump, mongoexport or mongodump wrote (the server stopped)
  integrity                      check the file, its documents and its indexes
  stats                          what is in it

FOLDER is .batti/db, where \`npm start\` keeps its data, unless you name another.`

/** The database folder of `npm start`. */
const DEFAULT_FOLDER = join(import.meta.dirname, '../../../.batti/db')

const mebibytes = (bytes: number): string => `${(bytes / 1048576).toFixed(1)} MiB`

function requireOne(values: readonly string[]): string {
  const [value] = values
  if (value === undefined || values.length > 1) throw new Error(USAGE)
  return resolve(value)
}

interface Options {
  /** Only commands that write to the folder create it. */
  folder: DataFolder
  rest: string[]
  db: string | null
  collection: string | null
}

const commandsByName: Readonly<Record<string, (options: Options) => Promise<number>>> = {
  backup: async ({ folder, rest }) => {
    const target = requireOne(rest)
    await backup(folder, target)
    console.log(`Backed up to ${target}`)
    return 0
  },
  restore: async ({ folder, rest }) => {
    const stamp = new Date(systemNow()).toISOString().replaceAll(/[:.]/g, '-')
    const kept = await restore(openDataFolder(folder.folder), requireOne(rest), stamp)
    console.log(kept === null ? 'Restored.' : `Restored. The database before it is kept as ${kept}`)
    return 0
  },
  export: async ({ folder, rest, db }) => {
    for (const { namespace, count } of await exportFolder(folder.file, requireOne(rest), db))
      console.log(`${namespace}: ${count} documents`)
    return 0
  },
  dump: async ({ folder, rest, db }) => {
    const dumped = await dumpFolder(folder.file, requireOne(rest), db)
    for (const { namespace, count } of dumped) console.log(`${namespace}: ${count} documents`)
    const damaged = dumped.filter(({ lost }) => lost > 0)
    for (const { namespace, lost } of damaged)
      console.error(
        `${namespace}: ${Number.isFinite(lost) ? lost : 'an unknown number of'} documents cannot be read, because the file is damaged`
      )
    return damaged.length === 0 ? 0 : 1
  },
  import: async ({ folder, rest, collection }) => {
    for (const { namespace, count } of await importFiles(openDataFolder(folder.folder), requireOne(rest), collection))
      console.log(`${namespace}: ${count} documents`)
    return 0
  },
  integrity: async ({ folder }) => {
    const faults = await checkFile(folder.file)
    for (const fault of faults) console.error(fault)
    console.log(faults.length === 0 ? 'Sound: documents, indexes and counts agree.' : `${faults.length} faults found.`)
    return faults.length === 0 ? 0 : 1
  },
  stats: async ({ folder }) => {
    const { fileBytes, collections } = await readStats(folder.file)
    console.log(`${folder.file}: ${mebibytes(fileBytes)}`)
    for (const { namespace, count, bytes, indexes } of collections) {
      const total = indexes.reduce((sum, index) => sum + index.bytes, 0)
      console.log(
        `${namespace}: ${count} documents, ${mebibytes(bytes)}, ${indexes.length} indexes, ${mebibytes(total)}`
      )
    }
    return 0
  }
}

/** Returns the folder of the database. Also accepts the data folder of `npm start`, which contains it. */
function databaseFolder(asked: string | undefined): string {
  if (asked === undefined) return DEFAULT_FOLDER
  const inside = join(asked, 'db')
  return !existsSync(join(asked, 'batti.db')) && existsSync(join(inside, 'batti.db')) ? inside : asked
}

async function main(args: readonly string[]): Promise<number> {
  process.chdir(calledFrom())
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      db: { type: 'string' },
      collection: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help === true) {
    console.log(USAGE)
    return 0
  }
  const [name = '', ...rest] = positionals
  const command = Object.hasOwn(commandsByName, name) ? commandsByName[name] : undefined
  if (!command) {
    console.error(USAGE)
    return 2
  }
  return command({
    folder: dataFolderAt(databaseFolder(values.data)),
    rest,
    db: values.db ?? null,
    collection: values.collection ?? null
  })
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(startFailure(error))
    process.exitCode = 1
  }
)
