import { minuteMs } from '@batti/kit/durations'
import { setTimeout as wait } from 'node:timers/promises'
import mongoose, { type Connection } from 'mongoose'
import { boundCalls, type StartTimer } from './deadline.ts'
import { endWaitsWithTheirSocket } from './end-waits.ts'

/** How long a call waits for an unresponsive database before it fails with 503. */
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
  // This loop is the deadline of a start; the driver's timeouts stay short, so that later calls fail within seconds.
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

/** Whether no server answers yet. Other errors, such as wrong credentials, are not retried. */
const isAway = (error: unknown): boolean => error instanceof Error && error.name.includes('ServerSelection')

const indexesWithinMs = 10 * minuteMs

/**
 * Builds indexes. On a large collection this takes longer than a call may; the database continues, and a repeated call waits for
 * the end.
 */
export async function makeIndexes(make: () => Promise<unknown>): Promise<void> {
  for (let leftMs = indexesWithinMs; ; leftMs -= databaseDeadlineMs) {
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

/** Load balancers take two seconds of silence (deploy/haproxy/haproxy.cfg) for a hang of the api, and drop its connections. */
const pingWithinMs = 1000

/** Whether the database answers in time for a health check. */
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

/** Whether an insert or update failed because of a duplicate unique key. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === duplicateKey
