import { testFolder } from '@batti/kit/node/testing'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MongoError } from '../errors.ts'
import { openConnection, type Connection } from './file/connection.ts'
import { createGroupCommit } from './group-commit.ts'

let folder: string
let writer: Connection
const rolledBack: string[] = []
const committed = vi.fn<() => void>()
const full = vi.fn<() => void>()
const lost = vi.fn<(cause: Error) => void>()
let synced: () => Promise<void>
let commits: ReturnType<typeof createGroupCommit>

beforeEach(() => {
  folder = testFolder('commit')
  const path = join(folder, 'file.db')
  writer = openConnection(path, { cacheKiB: 64 })
  writer.exec('CREATE TABLE rows(id INTEGER PRIMARY KEY) STRICT')
  rolledBack.length = 0
  vi.clearAllMocks()
  synced = () => Promise.resolve()
  commits = createGroupCommit({
    writer,
    path,
    synced: () => synced(),
    onRolledBack: (what) => void rolledBack.push(what),
    onCommitted: committed,
    onFull: full,
    onLost: lost
  })
})
afterEach(() => {
  commits.flush()
  writer.close()
})

const insert = (id: number): void => writer.run('INSERT INTO rows VALUES(?)', id)
const stored = (): unknown[] => writer.all('SELECT id FROM rows ORDER BY id').flat()
const sqliteError = (errcode: number): Error => Object.assign(new Error('a fault of SQLite'), { errcode })
const fail = (cause: Error) => (): never => {
  throw cause
}

it('stores the writes of several clients in one commit', async () => {
  commits.write(() => insert(1))
  const first = commits.durable()
  commits.write(() => insert(2))
  await Promise.all([first, commits.durable()])
  expect(stored()).toEqual([1, 2])
  expect(writer.database.isTransaction).toBe(false)
  expect([committed.mock.calls.length, commits.writes(), commits.lastFailure()]).toEqual([1, 2, null])
})

it('ends a commit with the turn in which somebody waits for it, otherwise after a quarter of a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  commits.write(() => insert(1))
  await nextTurn()
  expect(committed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(250)
  expect(committed).toHaveBeenCalledTimes(1)
  commits.write(() => insert(2))
  const waiting = commits.durable()
  expect(committed).toHaveBeenCalledTimes(1)
  await nextTurn()
  expect(committed).toHaveBeenCalledTimes(2)
  await waiting
  await commits.durable()
  expect(stored()).toEqual([1, 2])
})

it('ends a commit with many writes before its time, and not one with fewer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let id = 1; id <= 500; id += 1) commits.write(() => insert(id))
  await nextTurn()
  expect(committed).not.toHaveBeenCalled()
  commits.write(() => insert(501))
  await nextTurn()
  expect(committed).toHaveBeenCalledOnce()
})

describe('when a statement fails', () => {
  it('rolls back the whole commit, and everybody who waits for it gets the error', async () => {
    commits.write(() => insert(1))
    const waiting = commits.durable()
    const half = (): void => {
      insert(2)
      insert(2)
    }
    expect(() => commits.write(half)).toThrow('UNIQUE constraint failed')
    await expect(waiting).rejects.toThrow('UNIQUE constraint failed')
    expect(stored()).toEqual([])
    expect([rolledBack, committed.mock.calls.length]).toEqual([['commit'], 0])
    expect(commits.lastFailure()?.message).toContain('UNIQUE constraint failed')
    commits.write(() => insert(3))
    await commits.durable()
    expect(stored()).toEqual([3])
  })

  it('says so where the disk is full, and only then', () => {
    expect(() => commits.write(fail(sqliteError(19)))).toThrow('a fault of SQLite')
    expect(full).not.toHaveBeenCalled()
    expect(() => commits.write(fail(sqliteError(13)))).toThrow('The disk is full')
    expect(full).toHaveBeenCalledTimes(1)
  })

  it('says so where the disk is too full to begin, and only then', () => {
    const begin = vi.spyOn(writer, 'exec')
    begin.mockImplementationOnce(fail(sqliteError(8)))
    expect(() => commits.write(() => insert(1))).toThrow()
    expect(full).not.toHaveBeenCalled()
    begin.mockImplementationOnce(fail(sqliteError(13)))
    expect(() => commits.write(() => insert(1))).toThrow('The disk is full')
    expect(full).toHaveBeenCalledTimes(1)
  })

  it('rolls back a commit that the disk has no room to end, and says so', async () => {
    const { exec } = writer
    vi.spyOn(writer, 'exec').mockImplementation((sql) => {
      if (sql === 'COMMIT') throw sqliteError(13)
      exec(sql)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    commits.write(() => insert(1))
    await expect(commits.durable()).rejects.toThrow('The disk is full')
    expect([stored(), rolledBack, full.mock.calls.length]).toEqual([[], ['commit'], 1])
    expect(commits.lastFailure()?.message).toContain('The disk is full')
  })

  it('keeps the writes of others where the write was refused before its first statement', async () => {
    commits.write(() => insert(1))
    const refusal = new MongoError(11000, 'refused')
    expect(() => commits.write(fail(refusal))).toThrow(refusal)
    await commits.durable()
    expect(stored()).toEqual([1])
  })
})

describe('when an attempt fails', () => {
  const attempt = (cause: Error) => () =>
    commits.attempt(() => {
      insert(2)
      throw cause
    })

  it('rolls back only that', async () => {
    commits.write(() => insert(1))
    const refusal = new MongoError(11000, 'refused')
    expect(attempt(refusal)).toThrow(refusal)
    expect(attempt(sqliteError(19))).toThrow(new MongoError(1, 'a fault of SQLite'))
    commits.attempt(() => insert(3))
    await commits.durable()
    expect(stored()).toEqual([1, 3])
    expect([rolledBack, commits.lastFailure()]).toEqual([['attempt', 'attempt'], null])
  })

  it('rolls back everything where the disk has failed', async () => {
    commits.write(() => insert(1))
    const waiting = commits.durable()
    expect(attempt(sqliteError(13))).toThrow('The disk is full')
    await expect(waiting).rejects.toThrow('The disk is full')
    expect([stored(), rolledBack]).toEqual([[], ['commit']])
  })
})

it('runs no statement where no commit can begin', () => {
  const other = openConnection(join(folder, 'file.db'), { cacheKiB: 64 })
  other.exec('BEGIN IMMEDIATE')
  writer.exec('PRAGMA busy_timeout = 0')
  const late = (): void => {
    other.exec('ROLLBACK')
    insert(1)
  }
  expect(() => commits.write(late)).toThrow(/in use|busy|locked/)
  other.close()
  expect(stored()).toEqual([])
})

it('rolls back an abandoned commit, of which no other command has to know', async () => {
  commits.write(() => insert(1))
  const waiting = commits.durable()
  const cause = new Error('in the middle')
  commits.abandon(cause)
  await expect(waiting).rejects.toBe(cause)
  expect([stored(), commits.lastFailure()]).toEqual([[], null])
  // What is written after it is in a commit of its own.
  commits.write(() => insert(2))
  commits.abandon(cause)
  commits.write(() => insert(3))
  await commits.durable()
  expect(stored()).toEqual([3])
  // There is nothing left to abandon. A later failure, also with the same error, is reported.
  commits.abandon(cause)
  expect(() => commits.write(fail(cause))).toThrow(cause)
  expect(commits.lastFailure()).toBe(cause)
})

it('accepts no write after a sync that failed', async () => {
  synced = () => Promise.reject(new Error('EIO'))
  commits.write(() => insert(1))
  expect(commits.isLost()).toBe(false)
  await expect(commits.durable()).rejects.toThrow('The disk failed while it took a write')
  expect(commits.isLost()).toBe(true)
  expect(commits.lastFailure()?.message).toContain('The disk failed')
  expect(() => commits.write(() => insert(2))).toThrow('The disk failed')
  expect(stored()).toEqual([1])
})

it('tells once that the disk has failed, however many commits it failed for', async () => {
  synced = () => Promise.reject(new Error('EIO'))
  const waiting = [1, 2].map((id) => {
    commits.write(() => insert(id))
    const durable = commits.durable()
    commits.flush()
    return durable
  })
  const causes = (await Promise.allSettled(waiting)).map((each) => each.status === 'rejected' && each.reason)
  expect(causes).toEqual([commits.lastFailure(), commits.lastFailure()])
  expect(lost).toHaveBeenCalledTimes(1)
})
