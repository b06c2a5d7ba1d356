import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createTransactions, type RunInTransaction } from '../store/transactions.ts'
import { createLogger } from './log.ts'
import { createSecurityLog } from './security-log.ts'

let inTransaction: RunInTransaction
let lines: string[]
const security = createSecurityLog(createLogger({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) }))
const facts = { actor: 'a', account: 'b' }

beforeAll(async () => {
  const database = await connectTestDatabase()
  inTransaction = createTransactions(database.connection)
  return database.close
})
beforeEach(() => {
  lines = []
})

test('what happened is logged once it is stored', async () => {
  await inTransaction(async () => {
    security('account-changed', facts)
    await Promise.resolve()
    expect(lines).toEqual([])
  })
  expect(lines).toEqual([expect.stringContaining('"security":"account-changed"')])
})

test('a change that was not stored is not logged', async () => {
  const failed = inTransaction(() => {
    security('account-changed', facts)
    return Promise.reject(new Error('no disk'))
  })
  await expect(failed).rejects.toThrow('no disk')
  expect(lines).toEqual([])
})

test('what no transaction stores is logged at once', () => {
  security('login-failed', facts)
  expect(lines).toEqual([expect.stringContaining('"security":"login-failed"')])
})
