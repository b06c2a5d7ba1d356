import { aggregate } from './aggregate.ts'
import { buildInfo, hello, hostInfo, isMaster, ping } from './hello.ts'
import { collMod, createIndexes, dropIndexes, listIndexes } from './indexes.ts'
import {
  collStats,
  create,
  dbStats,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  renameCollection
} from './collections.ts'
import {
  connectionStatus,
  getParameter,
  refuse,
  replSetGetConfig,
  replSetGetStatus,
  replSetInitiate,
  serverStatus,
  shutdown
} from './admin.ts'
import { count, distinct } from './count.ts'
import { deleteCommand } from './delete.ts'
import { explain } from './explain.ts'
import { find } from './find.ts'
import { findAndModify } from './find-and-modify.ts'
import { getMore, killCursors } from './cursors.ts'
import { insert } from './insert.ts'
import { update } from './update.ts'
import { abortTransaction, commitTransaction, endSessions, refreshSessions, startSession } from './sessions.ts'
import type { Handler } from './context.ts'

export interface Command {
  run: Handler
  /** Allowed in a transaction. */
  inTransaction: boolean
  /** Writes documents, and may be a retryable write (`txnNumber`). */
  retryable: boolean
  /** Only reads, so that its reply need not wait for the disk. */
  readOnly: boolean
}

const reading = (run: Handler): Command => ({ run, inTransaction: true, retryable: false, readOnly: true })
const writing = (run: Handler): Command => ({ run, inTransaction: true, retryable: true, readOnly: false })
/** Allowed in a transaction, but no retryable write. */
const within = (run: Handler): Command => ({ run, inTransaction: true, retryable: false, readOnly: false })
/** Describes the server and its contents. */
const informational = (run: Handler): Command => ({ run, inTransaction: false, retryable: false, readOnly: true })
const apart = (run: Handler): Command => ({ run, inTransaction: false, retryable: false, readOnly: false })

/** Refused by name in whatever form drivers send it: as a retryable write, in a transaction. */
const refusing = (name: string): Command => ({ ...writing(refuse(name)), readOnly: true })

/** Commands of MongoDB that fail with CommandNotSupported. */
export const refusedCommands: readonly string[] = [
  'mapReduce',
  'eval',
  'bulkWrite',
  'createUser',
  'saslStart',
  'authenticate',
  'validate',
  'compact',
  'reIndex',
  'convertToCapped',
  'cloneCollectionAsCapped',
  'setParameter',
  'fsync',
  'createSearchIndexes',
  'currentOp',
  'killOp',
  'profile',
  'top',
  'setFeatureCompatibilityVersion'
]

/** All commands by name. Names are case-sensitive; like MongoDB, a few have two spellings. */
export const commandsByName: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    // Documents
    find: reading(find),
    aggregate: reading(aggregate),
    count: { ...reading(count), inTransaction: false },
    distinct: reading(distinct),
    insert: writing(insert),
    update: writing(update),
    delete: writing(deleteCommand),
    findAndModify: writing(findAndModify),
    findandmodify: writing(findAndModify),
    getMore: reading(getMore),
    killCursors: reading(killCursors),
    explain: informational(explain),
    // Sessions
    commitTransaction: within(commitTransaction),
    abortTransaction: within(abortTransaction),
    startSession: informational(startSession),
    endSessions: informational(endSessions),
    killSessions: informational(endSessions),
    refreshSessions: informational(refreshSessions),
    // Collections and indexes
    create: within(create),
    drop: apart(drop),
    dropDatabase: apart(dropDatabase),
    renameCollection: apart(renameCollection),
    listCollections: informational(listCollections),
    listDatabases: informational(listDatabases),
    collStats: informational(collStats),
    dbStats: informational(dbStats),
    dbstats: informational(dbStats),
    collMod: apart(collMod),
    createIndexes: within(createIndexes),
    listIndexes: informational(listIndexes),
    dropIndexes: apart(dropIndexes),
    deleteIndexes: apart(dropIndexes),
    // The server
    hello: informational(hello),
    isMaster: informational(isMaster),
    ismaster: informational(isMaster),
    ping: informational(ping),
    buildInfo: informational(buildInfo),
    buildinfo: informational(buildInfo),
    hostInfo: informational(hostInfo),
    serverStatus: informational(serverStatus),
    connectionStatus: informational(connectionStatus),
    getParameter: informational(getParameter),
    replSetGetStatus: informational(replSetGetStatus),
    replSetInitiate: informational(replSetInitiate),
    replSetGetConfig: informational(replSetGetConfig),
    shutdown: apart(shutdown),
    // Refused commands of MongoDB
    ...Object.fromEntries(refusedCommands.map((name) => [name, refusing(name)]))
  })
)
