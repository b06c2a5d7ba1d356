import { typeName, type Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import type { Slice } from '../storage/pause.ts'
import { WaitFor, type View } from '../storage/view.ts'
import type { Statements } from '../transactions/retries.ts'
import type { Engine } from '../engine.ts'
import type { Client } from '../clients.ts'
import type { CursorReply } from '../wire/cursor-reply.ts'

/** All that a command may use. */
export interface CommandContext {
  engine: Engine
  client: Client
  database: string
  command: Document
  view: View
  /** Hex of the logical session's id, where the client names one. */
  session: string | null
  /** `txnNumber` of the command. */
  transactionNumber: number | null
  /** Results of a retryable write that was already done; empty for other commands. */
  statements: Statements
  now: Date
  /** What the command's `let` defines, evaluated. */
  variables: Document
  slice: Slice
  /** Set once the command writes: its answer then waits for the disk. */
  wrote: boolean
  /** Lets other clients run. */
  pause(): Promise<void>
  /** @throws the error of a commit that failed and may have held what this command wrote. */
  checkCommits(): void
  /** Waits for what others do, as long as this command may go on. */
  wait(promise: Promise<void>): Promise<void>
  /** Aborted when the client is gone or the command is killed. */
  signal: AbortSignal
}

export type Reply = Document | CursorReply
export type Handler = (context: CommandContext) => Reply | Promise<Reply>

/**
 * Runs a write that must be whole. Where an open transaction holds what it writes, waits for the end
 * of the transaction and starts over.
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

/** @throws MongoError InvalidNamespace for a name that is not text: a typing error must not become a collection's name. */
export function namespaceOf(
  { database, command }: Pick<CommandContext, 'database' | 'command'>,
  field: string
): string {
  const name = command[field]
  if (typeof name !== 'string') throw new MongoError(73, `collection name has invalid type ${typeName(name)}`)
  return `${database}.${name}`
}
