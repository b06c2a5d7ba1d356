import { setTimeout as wait } from 'node:timers/promises'
import mongoose, { type Connection } from 'mongoose'
import { boundCalls, type StartTimer } from './deadline.ts'
import { endWaitsWithTheirSocket } from './end-waits.ts'

/** How long a call waits for a database that does not answer before it says so (503). */
export const databaseDeadlineMs = 2500

/** Opens one connection; fails when the database cannot be reached within `waitMs`. */
export async function connectDatabase(
  uri: string,
  {
    waitMs = 15_000,
    deadlineMs = databaseDeadlineMs,
    startTimer
  }: { waitMs?: number; deadlineMs?: number | undefined; startTimer?: StartTimer } = {}
): Promise<Connection> {
  // The deadline of a start is the loop's: a call must hear within seconds that the database is gone, not spin.
  for (let leftMs = waitMs; ; leftMs -= deadlineMs) {
    const connection = mongoose.createConnection(uri, {
      serverSelectionTimeoutMS: Math.min(deadlineMs, leftMs),
      connectTimeoutMS: deadlineMs,
      socketTimeoutMS: deadlineMs,
      waitQueueTimeoutMS: deadlineMs,
      maxPoolSize: 20,
      autoIndex: false
    })
    try {
      await connection.asPromise()
      endWaitsWithTheirSocket(connection)
      boundCalls(connection, deadlineMs, startTimer)
      return connection
    } catch (error) {
      await connection.destroy()
      if (!isAway(error) || leftMs <= deadlineMs) throw error
    }
  }
}

/** Nobody answers there (yet). Wrong log-in data, for one, do not get better by waiting. */
const isAway = (error: unknown): boolean => error instanceof Error && error.name.includes('ServerSelection')

/**
 * Makes indexes. Those of a big collection take longer than a call waits; the database goes on with them, and whoever
 * asks again waits for the end.
 */
export async function makeIndexes(make: () => Promise<unknown>, waitMs = 600_000): Promise<void> {
  for (let leftMs = waitMs; ; leftMs -= databaseDeadlineMs) {
    try {
      await make()
      return
    } catch (error) {
      if (!isSlow(error) || leftMs <= 0) throw error
      await wait(1000)
    }
  }
}

const isSlow = (error: unknown): boolean =>
  error instanceof Error && /ServerSelection|NetworkTimeout|OperationTimeout|PoolCleared/.test(error.name)

/** Load balancers take two seconds of silence (deploy/haproxy/haproxy.cfg) for a hang of the api itself, and end what it serves. */
const pingWithinMs = 1000

/** Whether the database answers in time for who asks after it. */
export async function pingDatabase(connection: Connection): Promise<boolean> {
  try {
    await connection
      .getClient()
      .db()
      .command({ ping: 1 }, { signal: AbortSignal.timeout(pingWithinMs) })
    return true
  } catch {
    return false
  }
}

const duplicateKey = 11000

/** Whether an insert or update failed because a unique key was taken. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === duplicateKey
