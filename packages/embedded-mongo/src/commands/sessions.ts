import { Binary, UUID } from 'bson'
import { isDocument } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import type { Engine } from '../engine.ts'
import type { Handler } from './context.ts'

export function sessionKey(lsid: unknown): string | null {
  if (!isDocument(lsid)) return null
  const id = lsid['id']
  return id instanceof Binary ? Buffer.from(id.value()).toString('hex') : null
}

/** https://www.mongodb.com/docs/manual/reference/command/endSessions/ */
export const endSessions: Handler = ({ engine, command, client }) => {
  const list = Array.isArray(command['endSessions'])
    ? command['endSessions']
    : Array.isArray(command['killSessions'])
      ? command['killSessions']
      : []
  for (const lsid of list) {
    const key = sessionKey(lsid)
    if (key === null) continue
    client.sessions.delete(key)
    engine.sessions.end(key)
    engine.cursors.closeWhere(({ session, busy }) => session === key && !busy)
  }
  return { ok: 1 }
}

export const startSession: Handler = () => ({ id: { id: new UUID() }, timeoutMinutes: 30, ok: 1 })
export const refreshSessions: Handler = () => ({ ok: 1 })

/** Closes the cursors of a transaction that has ended. */
const endCursors = (engine: Engine, session: string): void =>
  engine.cursors.closeWhere((cursor) => cursor.transaction !== null && cursor.session === session && !cursor.busy)

const noTransaction = (name: string): MongoError => new MongoError(125, `${name} must be run within a transaction`)

export const commitTransaction: Handler = (context) => {
  const { engine, session, transactionNumber } = context
  if (session === null || transactionNumber === null) throw noTransaction('commitTransaction')
  endCursors(engine, session)
  context.wrote = engine.sessions.commit(session, transactionNumber)
  return { ok: 1 }
}
export const abortTransaction: Handler = ({ engine, session, transactionNumber }) => {
  if (session === null || transactionNumber === null) throw noTransaction('abortTransaction')
  endCursors(engine, session)
  engine.sessions.abort(session, transactionNumber)
  return { ok: 1 }
}
