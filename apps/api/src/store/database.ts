import mongoose, { type Connection } from 'mongoose'

/** How long a call waits for a database that does not answer before it says so (503). */
const serverSelectionMs = 2500

/** Opens one connection; fails when the database cannot be reached within `waitMs`. */
export async function connectDatabase(uri: string, waitMs = 15_000): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: waitMs,
    // A frozen database answers 503 within 3 s, not a spinner.
    socketTimeoutMS: serverSelectionMs,
    maxPoolSize: 20,
    autoIndex: false
  })
  await connection.asPromise()
  return connection
}

/** Whether the database answers within the time that a person would wait. */
export async function pingDatabase(connection: Connection): Promise<boolean> {
  try {
    await connection.getClient().db().command({ ping: 1 })
    return true
  } catch {
    return false
  }
}

const duplicateKey = 11000

/** Whether an insert or update failed because a unique key was taken. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === duplicateKey
