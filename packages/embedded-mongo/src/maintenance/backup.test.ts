import { testFolder } from '@batti/kit/node/testing'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documentsIn } from '../../test/documents-in.ts'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import { backup, restore } from './backup.ts'
import { checkFile } from './integrity.ts'
import { openDataFolder, type DataFolder } from '../data-folder.ts'
import { openEngine } from '../engine.ts'

describe('a backup', () => {
  let db: InProcess
  let folder: string
  const source = (): DataFolder => ({ folder, file: db.file, socket: '', reserve: '', lock: '' })
  beforeEach(async () => {
    db = await openInProcess()
    folder = testFolder('backup')
  })
  afterEach(async () => {
    await db.close()
  })

  it.runIf(process.platform !== 'win32')(
    'produces files that only the owner can read, whatever the umask',
    async () => {
      const before = process.umask(0)
      try {
        const target = join(folder, 'own.db')
        await backup(source(), target)
        expect(statSync(target).mode & 0o777).toBe(0o600)
      } finally {
        process.umask(before)
      }
    }
  )

  it('calls back when the snapshot is taken: what is written then is not in the copy', async () => {
    await db.run({ insert: 'accounts', documents: [{ _id: 'before' }] })
    const target = join(folder, 'at-snapshot.db')
    await backup(source(), target, async () => {
      await db.run({ insert: 'accounts', documents: [{ _id: 'after' }] })
    })
    expect(documentsIn(target, 'test.accounts')).toEqual([{ _id: 'before' }])
  })

  it('backs up one moment while others write, and restores it', async () => {
    await db.run({
      insert: 'accounts',
      documents: [
        { _id: 'a', n: 500 },
        { _id: 'b', n: 500 }
      ]
    })
    await db.run({
      insert: 'ballast',
      documents: Array.from({ length: 5000 }, (_, _id) => ({ _id, text: 'x'.repeat(500) }))
    })
    let writing = true
    let moves = 0
    const work = (async () => {
      const { Binary } = await import('bson')
      for (let number = 1; writing; number++) {
        const within = { lsid: { id: new Binary(Buffer.alloc(16, 3), 4) }, txnNumber: number, autocommit: false }
        await db.run({
          update: 'accounts',
          updates: [{ q: { _id: 'a' }, u: { $inc: { n: -1 } } }],
          ...within,
          startTransaction: true
        })
        await db.run({ update: 'accounts', updates: [{ q: { _id: 'b' }, u: { $inc: { n: 1 } } }], ...within })
        await db.run({ commitTransaction: 1, ...within })
        moves++
        await new Promise(setImmediate)
      }
    })()
    while (moves === 0) await new Promise(setImmediate)
    // A slow disk may take longer for one move than for a backup: then back up again, until others did write meanwhile.
    let target = ''
    let tries = 0
    try {
      await expect
        .poll(async () => {
          const before = moves
          target = join(folder, `backup ${(tries += 1)}.db`)
          await backup(source(), target)
          return moves - before
        })
        .toBeGreaterThan(0)
    } finally {
      writing = false
      await work
    }
    const fresh = openDataFolder(join(folder, 'fresh'))
    expect(await restore(fresh, target, 'now')).toBeNull()
    const balances = documentsIn(fresh.file, 'test.accounts').map(({ n }) => Number(n))
    expect(balances.reduce((sum, n) => sum + n, 0)).toBe(1000)
    expect(documentsIn(fresh.file, 'test.ballast')).toHaveLength(5000)
    expect(await checkFile(fresh.file)).toEqual([])
    // A second restore keeps the file that it replaces.
    const kept = await restore(fresh, target, 'later')
    expect(kept).toContain('before-restore-later')
    expect(await checkFile(kept ?? '')).toEqual([])
    await expect(backup(source(), target)).rejects.toThrow(/never overwrites/)
  })

  it('restores the file that a restore has kept, with the log of a killed server', async () => {
    const backedUp = join(folder, 'backup.db')
    await backup(source(), backedUp)
    await db.run({ insert: 'things', documents: [{ _id: 1 }] })
    const killed = openDataFolder(join(folder, 'killed'))
    for (const suffix of ['', '-wal']) copyFileSync(db.file + suffix, killed.file + suffix)
    const kept = await restore(killed, backedUp, 'once')
    expect(documentsIn(killed.file, 'test.things')).toEqual([])
    await restore(killed, kept ?? '', 'twice')
    expect(documentsIn(killed.file, 'test.things')).toEqual([{ _id: 1 }])
  })

  it('leaves no files beside the backup that it restores, which may be read-only', async () => {
    const medium = join(folder, 'medium')
    mkdirSync(medium)
    await backup(source(), join(medium, 'backup.db'))
    chmodSync(join(medium, 'backup.db'), 0o400)
    const fresh = openDataFolder(join(folder, 'fresh'))
    await restore(fresh, join(medium, 'backup.db'), 'now')
    expect(readdirSync(medium)).toEqual(['backup.db'])
    expect(readdirSync(fresh.folder)).toEqual(['batti.db', 'batti.db-lock'])
    expect(statSync(fresh.file).mode & 0o200).toBe(0o200)
  })

  it('can be run again after it was interrupted between its steps', async () => {
    const backedUp = join(folder, 'backup.db')
    await db.run({ insert: 'things', documents: [{ _id: 1 }] })
    await backup(source(), backedUp)
    const half = openDataFolder(join(folder, 'half'))
    writeFileSync(`${half.file}.restoring`, 'cut off')
    writeFileSync(`${half.file}-wal`, 'the log of the file that was there')
    expect(() => openEngine({ path: half.file })).toThrow(/A restore of .* was interrupted: run it again/)
    await restore(half, backedUp, 'again')
    expect(documentsIn(half.file, 'test.things')).toEqual([{ _id: 1 }])
    expect(readFileSync(`${half.file}.before-restore-again-wal`, 'utf8')).toBe('the log of the file that was there')
  })

  it('refuses a damaged backup', async () => {
    const bad = join(folder, 'bad.db')
    writeFileSync(bad, Buffer.alloc(8192, 1))
    const fresh = openDataFolder(join(folder, 'fresh'))
    await expect(restore(fresh, bad, 'now')).rejects.toThrow(/damaged/)
  })
})
