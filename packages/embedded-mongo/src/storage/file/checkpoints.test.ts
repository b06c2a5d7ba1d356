import { testFolder } from '@batti/kit/node/testing'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { SQLOutputValue } from 'node:sqlite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkFile } from '../../maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../../../test/in-process.ts'
import { commitWholeWrites } from '../../../test/whole-commits.ts'
import { startCheckpoint, type Ending, type StartCheckpoint } from './checkpoint-worker.ts'
import { createCheckpoints } from './checkpoints.ts'
import { FAILED_SYNC } from './failure.ts'
import type { StoreOptions } from '../store.ts'

const PAGE = 2048
const LIMIT = 64 * PAGE

let db: InProcess
let endings: Ending[]
let lost: Error[]
const open = async (options: StoreOptions = {}): Promise<void> => {
  endings = []
  lost = []
  db = await openInProcess({ checkpointBytes: LIMIT, onLost: (cause) => lost.push(cause), ...options })
}
commitWholeWrites()
afterEach(() => {
  vi.useRealTimers()
  return db.close()
})

/** A real thread that records how its checkpoints end. */
const noting: StartCheckpoint = (file, ended) =>
  startCheckpoint(file, (ending) => {
    endings.push(ending)
    ended(ending)
  })
/** In place of a thread: each requested checkpoint ends as the test says. */
const pretend = (
  wait = (): boolean => true
): { asked: ((ending: Ending) => void)[]; startCheckpoint: StartCheckpoint } => {
  const asked: ((ending: Ending) => void)[] = []
  return {
    asked,
    startCheckpoint: (_, ended) => {
      asked.push(ended)
      return { wait }
    }
  }
}

let next = 0
/** About fifty pages of the log. */
const write = () =>
  db.run({ insert: 'things', documents: Array.from({ length: 50 }, () => ({ _id: next++, text: 'x'.repeat(1500) })) })
/** The pages in the log, and how many of them are in the file. */
const log = (): number[] => (db.engine.store.writer.get('PRAGMA wal_checkpoint(NOOP)') ?? []).slice(1).map(Number)
const whenEnded = async (times: number): Promise<void> => {
  while (endings.length < times) await new Promise((resolve) => void setTimeout(resolve, 1))
}

describe('a long write-ahead log', () => {
  it('is moved to the file by a thread, and starts over', async () => {
    await open({ startCheckpoint: noting })
    expect(db.engine.store.writer.get('PRAGMA wal_autocheckpoint')).toEqual([4 * 64])
    for (let round = 1; round <= 5; round++) {
      while ((log()[0] ?? 0) < LIMIT / PAGE) await write()
      await whenEnded(round)
      await write()
      expect(log()[0]).toBeLessThan(LIMIT / PAGE)
    }
    expect(endings).toEqual(Array.from({ length: 5 }, () => ({ kind: 'done' })))
    expect(statSync(db.file).size).toBeGreaterThan(5 * LIMIT)
    expect(statSync(`${db.file}-wal`).size).toBeLessThan(4 * LIMIT)
    db.reopen()
    expect(await checkFile(db.file)).toEqual([])
  })

  it('stays bounded while clients write without a pause', async () => {
    await open({ startCheckpoint: noting })
    const writeOn = async (): Promise<void> => {
      for (let i = 0; i < 40; i++) await write()
    }
    await Promise.all([writeOn(), writeOn(), writeOn()])
    // Six thousand documents of a page each went through the log.
    expect(statSync(`${db.file}-wal`).size).toBeLessThan(16 * LIMIT)
    await whenEnded(1)
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 6000 })
  })

  it('makes commits wait for the thread when it is four times as long', async () => {
    const lengths: number[] = []
    const { startCheckpoint: start } = pretend(() => lengths.push(log()[0] ?? 0) > 0)
    await open({ startCheckpoint: start })
    // A reader of an older snapshot keeps the log from starting over.
    const reader = db.engine.store.openReader()
    await write()
    reader.exec('BEGIN; SELECT count(*) FROM collections')
    while ((log()[0] ?? 0) < (4 * LIMIT) / PAGE) await write()
    expect(lengths).toEqual([log()[0]])
    reader.close()
    await write()
    await write()
    expect(log()[0]).toBeLessThan((4 * LIMIT) / PAGE)
  })

  it('is finished by the writer if a commit was open when the thread ended', async () => {
    const { asked, startCheckpoint: start } = pretend()
    await open({ startCheckpoint: start })
    await write()
    await write()
    expect(asked).toHaveLength(1)
    const { store } = db.engine
    store.write(() => store.writer.exec('CREATE TABLE written (a)'))
    // Like the thread, moves all that is committed.
    startCheckpoint({ path: db.file, descriptor: -1 }, () => {}).wait(60_000)
    asked[0]?.({ kind: 'done' })
    store.flush()
    const [pages, moved] = log()
    expect(moved).toBe(pages)
    await db.run({ insert: 'things', documents: [{ _id: 'next' }] })
    expect(log()[0]).toBeLessThan(10)
  })

  it('is moved by the writer when no thread can be started', async () => {
    const { asked, startCheckpoint: start } = pretend()
    await open({ startCheckpoint: start })
    await write()
    await write()
    expect(log()[1]).toBe(0)
    asked[0]?.({ kind: 'no worker' })
    const [pages, moved] = log()
    expect(moved).toBe(pages)
  })

  it('is not tried with every commit while a reader holds it', async () => {
    const { asked, startCheckpoint: start } = pretend()
    await open({ startCheckpoint: start })
    await write()
    const reader = db.engine.store.openReader()
    reader.exec('BEGIN; SELECT count(*) FROM collections')
    await write()
    for (let i = 0; i < 10; i++) {
      await db.run({ insert: 'things', documents: [{ _id: `small ${i}` }] })
      asked.at(-1)?.({ kind: 'done' })
    }
    expect(asked.length).toBeLessThan(5)
    reader.close()
  })

  it('that a reader held is moved in the next pause of commits, and starts over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { asked, startCheckpoint: start } = pretend()
    await open({ startCheckpoint: start })
    const reader = db.engine.store.openReader()
    await write()
    reader.exec('BEGIN; SELECT count(*) FROM collections')
    await write()
    asked[0]?.({ kind: 'done' })
    reader.close()
    vi.advanceTimersByTime(900)
    await db.run({ insert: 'things', documents: [{ _id: 'during the pause' }] })
    vi.advanceTimersByTime(900)
    expect(asked).toHaveLength(1)
    vi.advanceTimersByTime(100)
    expect(asked).toHaveLength(2)
    startCheckpoint({ path: db.file, descriptor: -1 }, () => {}).wait(60_000)
    asked[1]?.({ kind: 'done' })
    // Nothing is left to move, so a pause starts nothing.
    vi.advanceTimersByTime(10_000)
    expect(asked).toHaveLength(2)
    await db.run({ insert: 'things', documents: [{ _id: 'next' }] })
    expect(log()[0]).toBeLessThan(10)
  })
})

describe('a checkpoint that fails', () => {
  it('because of a sync ends the server, like a failed sync of a commit', async () => {
    const { asked, startCheckpoint: start } = pretend()
    await open({ startCheckpoint: start })
    await write()
    await write()
    asked[0]?.({ kind: 'failed', errcode: FAILED_SYNC })
    expect(lost).toHaveLength(1)
    expect(await db.run({ insert: 'things', documents: [{}] })).toMatchObject({ ok: 0, code: 14031 })
  })

  it('because of a sync of the writer, when no thread can be started, ends it too', async () => {
    const { asked, startCheckpoint: start } = pretend()
    await open({ startCheckpoint: start })
    await write()
    await write()
    const { writer } = db.engine.store
    const get = writer.get.bind(writer)
    writer.get = (sql, ...values) => {
      if (sql.includes('PASSIVE')) throw Object.assign(new Error('disk I/O error'), { errcode: FAILED_SYNC })
      return get(sql, ...values)
    }
    asked[0]?.({ kind: 'no worker' })
    expect(lost).toHaveLength(1)
  })

  it('because of a full disk does no harm, and is tried again when the log has grown', async () => {
    const { asked, startCheckpoint: start } = pretend()
    await open({ startCheckpoint: start })
    await write()
    await write()
    asked[0]?.({ kind: 'failed', errcode: 13 })
    expect(lost).toEqual([])
    expect(await write()).toMatchObject({ ok: 1 })
    expect(asked).toHaveLength(2)
  })

  it('reports the error', async () => {
    await open()
    const folder = testFolder('checkpoint')
    const ending = new Promise(
      (resolve) => void startCheckpoint({ path: join(folder, 'no', 'such.db'), descriptor: -1 }, resolve)
    )
    expect(await ending).toEqual({ kind: 'failed', errcode: 14 })
  })

  it('syncs the file itself when something is left to the writer, and reports when it cannot', async () => {
    await open()
    const reader = db.engine.store.openReader()
    reader.exec('BEGIN; SELECT count(*) FROM collections')
    await write()
    const noDescriptor = { path: db.file, descriptor: 2 ** 20 }
    const ending = new Promise((resolve) => void startCheckpoint(noDescriptor, resolve))
    expect(await ending).toEqual({ kind: 'failed', errcode: FAILED_SYNC })
    reader.close()
  })
})

describe('an SQLite that cannot report the length of the log', () => {
  const start = vi.fn<StartCheckpoint>()
  const checkpointsOf = (version: string) => {
    const told: Record<string, SQLOutputValue[]> = {
      'SELECT sqlite_version()': [version],
      'PRAGMA page_size': [PAGE],
      'PRAGMA wal_checkpoint(NOOP)': [0, 1000, 0]
    }
    const writer = { ...db.engine.store.writer, exec: () => {}, get: (sql: string) => told[sql] }
    return createCheckpoints({ writer, path: db.file, bytes: LIMIT, start, onFailedSync: () => {} })
  }
  const closing = (version: string): boolean => {
    const checkpoints = checkpointsOf(version)
    checkpoints.look()
    let isClosed = false
    checkpoints.close(() => {
      isClosed = true
    })
    return isClosed
  }

  it('moves the log by itself, in a commit', async () => {
    await open()
    expect(['3.46.1', '3.50.4'].map(closing)).toEqual([true, true])
    expect(start).not.toHaveBeenCalled()
    start.mockReturnValue({ wait: () => true })
    expect(['3.51.0', '4.0.0'].map(closing)).toEqual([true, true])
    expect(start).toHaveBeenCalledTimes(2)
  })
})

describe('a stop during a checkpoint', () => {
  it('waits for it, and leaves no log', async () => {
    await open({ startCheckpoint: noting })
    await write()
    await write()
    db.engine.close()
    expect(() => statSync(`${db.file}-wal`)).toThrow(/ENOENT/)
    db.reopen()
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 100 })
    expect(await checkFile(db.file)).toEqual([])
  })

  it('lets the thread close the file first', async () => {
    const waited: boolean[] = []
    const isOpen = (): boolean => waited.push(db.engine.store.writer.database.isOpen) > 0
    await open({ startCheckpoint: pretend(isOpen).startCheckpoint })
    await write()
    await write()
    db.reopen()
    expect(waited).toEqual([true])
  })

  it('loses nothing if it is a kill', async () => {
    await open()
    for (let i = 0; i < 10; i++) {
      await write()
      if (i % 3 === 2) db.kill()
    }
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 500 })
    db.reopen()
    expect(await checkFile(db.file)).toEqual([])
  })
})
