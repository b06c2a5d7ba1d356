import { typeName, type Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import type { Slice } from '../storage/pause.ts'
import { WaitFor, type View } from '../storage/view.ts'
import type { Statements } from '../transactions/retries.ts'
import type { Engine } from '../engine.ts'
import type { Client } from '../clients.ts'
import type { CursorReply } from '../wire/cursor-reply.ts'

/** Everything that a command may use. */
export interface CommandContext {
  engine: Engine
  client: Client
  database: string
  command: Document
  view: View
  /** The id of the logical session in hex; null without a session. */
  session: string | null
  /** `txnNumber` of the command. */
  transactionNumber: number | null
  /** Stored results of an earlier attempt of a retryable write; empty for other commands. */
  statements: Statements
  now: Date
  /** The evaluated variables of the command's `let`. */
  variables: Document
  slice: Slice
  /** True if the command writes: its reply then waits for the disk. */
  wrote: boolean
  /** Lets other clients run. */
  pause(): Promise<void>
  /** @throws the error of a failed commit that may have contained writes of this command. */
  checkCommits(): void
  /** Waits for a promise. Rejects when the command is interrupted. */
  wait(promise: Promise<void>): Promise<void>
  /** Aborted when the client is gone or the command is killed. */
  signal: AbortSignal
}

export type Reply = Document | CursorReply
export type Handler = (context: CommandContext) => Reply | Promise<Reply>

/**
 * Runs an atomic write. When an open transaction holds a lock that it needs, waits for the end of the transaction and
 * starts over.
 */
export async function untilFree<T>(
  { pause, wait }: Pick<CommandContext, 'pause' | 'wait'>,
  write: () => T | Promise<T>
): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof WaitFor)) throw error
      await pause()
      await wait(error.ended)
    }
  }
}

/** Returns the namespace of a command. @throws MongoError InvalidNamespace for a collection name that is no string. */
export function namespaceOf(
  { database, command }: Pick<CommandContext, 'database' | 'command'>,
  field: string
): string {
  const name = command[field]
  if (typeof name !== 'string') throw new MongoError(73, `collection name has invalid type ${typeName(name)}`)
  return `${database}.${name}`
}
