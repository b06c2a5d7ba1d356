import type { Client } from '../clients.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import { toNumber } from '../bson/numbers.ts'
import type { Engine } from '../engine.ts'
import { MongoError } from '../errors.ts'
import { evaluateLet } from '../aggregation/expressions/let.ts'
import { parseCollation, textOrder } from '../query/collation.ts'
import { sqliteFailure } from '../storage/file/failure.ts'
import { createSlice } from '../storage/pause.ts'
import { noStatements, type Statements } from '../transactions/retries.ts'
import { CursorReply, encodeCursorReply } from '../wire/cursor-reply.ts'
import { checkFields, checkReadConcern, writeConcernError } from './command-fields.ts'
import type { CommandContext } from './context.ts'
import { createInterruption, type Interruption } from './interruption.ts'
import { commandsByName, type Command } from './registry.ts'
import { sessionKey } from './sessions.ts'

const TRANSIENT = 'TransientTransactionError'

/** Runs one command. Resolves with its reply or error as BSON; never rejects. */
export async function dispatch(engine: Engine, client: Client, command: Document): Promise<Uint8Array[]> {
  const [name = ''] = Object.keys(command)
  const inTransaction = command['autocommit'] === false
  try {
    const reply = await run(engine, client, name, command)
    const rest = reply instanceof CursorReply ? reply.rest : reply
    const timed: Document = { ...rest, ...timesOf(engine) }
    return reply instanceof CursorReply ? encodeCursorReply(reply.batch, timed) : [encodeDocument(timed)]
  } catch (error) {
    const explained = sqliteFailure(error, engine.store.path)
    return [encodeDocument({ ...errorReply(explained, name, inTransaction), ...timesOf(engine) })]
  }
}

/** There is no `$clusterTime`: it is for gossip between members through their clients, and this set has one member. */
const timesOf = ({ clock }: Engine): Document => ({ operationTime: clock.latest() })

/** Formats an error like MongoDB. An unexpected error becomes an InternalError with its message. */
function errorReply(error: Error, name: string, inTransaction: boolean): Document {
  const known =
    error instanceof MongoError
      ? error
      : /no such table/.test(error.message)
        ? new MongoError(175, 'the collection or index was dropped meanwhile', { cause: error })
        : new MongoError(1, error.message, { cause: error })
  const labels = new Set(known.labels)
  // A transaction with a write conflict can be retried: the label tells the driver.
  if (inTransaction && name !== 'commitTransaction' && [112, 246, 251].includes(known.code)) labels.add(TRANSIENT)
  return { ...known.reply(), ...(labels.size > 0 ? { errorLabels: [...labels] } : {}) }
}

async function run(engine: Engine, client: Client, name: string, command: Document): ReturnType<typeof runInContext> {
  const known = commandsByName.get(name)
  if (!known) throw new MongoError(59, `no such command: '${name}'`)
  const database = command['$db']
  if (typeof database !== 'string') throw new MongoError(40414, "BSON field '$db' is missing but a required field")
  const session = sessionKey(command['lsid'])
  if (session !== null) rememberSession(client, session)
  const number = command['txnNumber'] === undefined ? null : toNumber(command['txnNumber'])
  const inTransaction = command['autocommit'] === false
  if (number !== null && session === null)
    throw new MongoError(72, 'Transaction number requires a session ID to also be specified')
  if (inTransaction) checkTransaction(name, known, command, number)
  checkFields(name, command)
  checkReadConcern(command, inTransaction)
  const interruption = createInterruption(client.signal, command, name)
  const asked = { engine, client, name, known, command, database, session, number, inTransaction, interruption }
  if (number === null || session === null) return runCommand(asked)
  const endTurn = await engine.turns.take(session, interruption.wait)
  try {
    return await runCommand(asked)
  } finally {
    endTurn()
  }
}

/** A command that was parsed and checked. */
interface Asked {
  engine: Engine
  client: Client
  name: string
  known: Command
  command: Document
  database: string
  session: string | null
  number: number | null
  inTransaction: boolean
  interruption: Interruption
}

async function runCommand(asked: Asked): ReturnType<typeof runInContext> {
  const { engine, client, name, known, command, database, session, number, inTransaction, interruption } = asked
  const concern = known.readOnly ? null : writeConcernError(command)

  const ends = name === 'commitTransaction' || name === 'abortTransaction'
  const slice = createSlice(() => performance.now())
  const failureBefore = engine.store.lastFailure()
  /** A write may have been in the failed commit. For a read it is no error, as with MongoDB's read concern `local`. */
  const checkCommits = (): void => {
    const failure = engine.store.lastFailure()
    if (context.wrote && failure !== failureBefore && failure) throw failure
  }
  const now = new Date(engine.now())
  const context: CommandContext = {
    engine,
    client,
    database,
    command,
    session,
    transactionNumber: number,
    view:
      inTransaction && !ends && session !== null && number !== null
        ? engine.sessions.transaction(session, number, command['startTransaction'] === true).view
        : engine.live,
    statements: statementsOf(engine, known, session, number, inTransaction),
    now,
    variables: evaluateLet(command['let'], { now, text: textOrder(parseCollation(command['collation'])) }),
    slice,
    // Writes of a transaction are not stored before its commit.
    wrote: !known.readOnly && (!inTransaction || ends),
    signal: client.signal,
    pause: async () => {
      await new Promise(setImmediate)
      checkCommits()
      interruption.check()
      slice.renew()
    },
    checkCommits,
    wait: interruption.wait
  }
  try {
    const reply = await runInContext(known, context)
    checkCommits()
    return concern && !(reply instanceof CursorReply) ? { ...reply, writeConcernError: concern } : reply
  } catch (error) {
    // Any error of a statement ends its transaction, as in MongoDB.
    if (inTransaction && session !== null && !ends) engine.sessions.fail(session)
    throw error
  }
}

/** How often a read runs at most when failed commits roll back the rows that it read. */
const MOST_READS = 5

async function runInContext(known: Command, context: CommandContext): Promise<Document | CursorReply> {
  for (let reads = 1; ; reads++) {
    let reply: Document | CursorReply
    try {
      reply = await known.run(context)
    } catch (error) {
      // Writes before the error stay, and others may have read them: wait until they are durable.
      if (context.wrote) await settled(context)
      throw error
    }
    if (!context.wrote && !asksForDisk(context.command)) return reply
    try {
      await settled(context)
      return reply
    } catch (error) {
      // A write of another command failed on a full disk. That must not fail a read: repeat it.
      if (context.wrote || context.engine.store.isLost() || reads === MOST_READS) throw error
    }
  }
}

/** Waits until everything in the reply is durable: own writes, and writes of others that were read. */
const settled = ({ engine: { store } }: CommandContext): Promise<void> => store.durable()

/** Whether a read must return only durable data: https://www.mongodb.com/docs/manual/reference/read-concern/ */
const asksForDisk = ({ readConcern }: Document): boolean => isDocument(readConcern) && !local.has(readConcern['level'])

const local: ReadonlySet<unknown> = new Set(['local', 'available', undefined])

/** More sessions on one connection than any driver has in its pool. Beyond that the oldest is forgotten. */
const MAX_SESSIONS = 10_000

function rememberSession({ sessions }: Client, session: string): void {
  sessions.add(session)
  if (sessions.size <= MAX_SESSIONS) return
  const [oldest] = sessions
  if (oldest !== undefined) sessions.delete(oldest)
}

function checkTransaction(name: string, known: Command, command: Document, number: number | null): void {
  if (number === null) throw new MongoError(72, "'autocommit' needs a 'txnNumber'")
  if (!known.inTransaction) {
    throw name === 'count'
      ? new MongoError(
          263,
          "Cannot run 'count' in a multi-document transaction. Please see http://dochub.mongodb.org/core/transaction-count for a recommended alternative."
        )
      : new MongoError(263, `Cannot run '${name}' in a multi-document transaction.`)
  }
  if (command['writeConcern'] !== undefined && name !== 'commitTransaction' && name !== 'abortTransaction') {
    throw new MongoError(72, 'writeConcern is not allowed within a multi-statement transaction')
  }
}

function statementsOf(
  engine: Engine,
  known: Command,
  session: string | null,
  number: number | null,
  inTransaction: boolean
): Statements {
  if (session === null || number === null || inTransaction) return noStatements
  if (!known.retryable)
    throw new MongoError(
      72,
      'txnNumber may only be provided for multi-document transactions and retryable write commands.'
    )
  engine.sessions.supersede(session, number)
  return engine.retries.statements(session, number)
}
