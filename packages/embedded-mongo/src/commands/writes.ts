import { isDocument, type Document } from '../bson/document.ts'
import { MongoError, typeMismatch } from '../errors.ts'
import { WaitFor } from '../storage/view.ts'
import { checkStatementFields } from './command-fields.ts'
import type { CommandContext } from './context.ts'

/** Reads the list of statements of a write command. */
export function statementsOf(command: Document, field: 'documents' | 'updates' | 'deletes'): Document[] {
  const list = command[field]
  if (!Array.isArray(list)) throw typeMismatch(`BSON field '${field}' is missing but a required field`)
  if (list.length === 0 || list.length > 100_000) {
    throw new MongoError(16, `Write batch sizes must be between 1 and 100000. Got ${list.length} operations.`)
  }
  return list.map((statement: unknown) => {
    if (!isDocument(statement)) throw typeMismatch(`BSON field '${field}' is the wrong type`)
    if (field !== 'documents') checkStatementFields(field, statement)
    return statement
  })
}

function statementId(command: Document, at: number): number {
  const ids = command['stmtIds']
  if (Array.isArray(ids)) return Number(ids[at])
  return Number(command['stmtId'] ?? 0) + at
}

/**
 * Runs the statements of a write command in order. An ordered command stops at the first error; in a transaction any error
 * ends the transaction. A statement that an earlier attempt of a retryable write has executed is skipped.
 */
export async function runStatements(
  context: CommandContext,
  statements: readonly Document[],
  run: (statement: Document, at: number) => Promise<Document>,
  collect: (result: Document, at: number) => void
): Promise<Document[]> {
  const { command, view, slice } = context
  const ordered = command['ordered'] !== false
  const writeErrors: Document[] = []
  for (const [at, statement] of statements.entries()) {
    if (slice.isOver()) await context.pause()
    const id = statementId(command, at)
    const before = context.statements.done(id)
    if (before) {
      collect(before, at)
      continue
    }
    try {
      const result = await run(statement, at)
      // Check before the result is stored: a failed commit may have rolled this write back.
      context.checkCommits()
      context.statements.keep(id, result)
      collect(result, at)
    } catch (error) {
      if (!(error instanceof MongoError) || error instanceof WaitFor || view.inTransaction || isCommandError(error))
        throw error
      writeErrors.push({ index: at, code: error.code, ...error.details, errmsg: error.message })
      if (ordered) break
    }
  }
  return writeErrors
}

/** Whether an error (a failure of the machine, or an interruption) fails the whole command, not just one statement. */
const isCommandError = ({ code }: MongoError): boolean => [1, 50, 91, 11601, 14031].includes(code)

export const replyToWrites = (summary: Document, writeErrors: readonly Document[]): Document => ({
  ...summary,
  ...(writeErrors.length > 0 ? { writeErrors } : {}),
  ok: 1
})
