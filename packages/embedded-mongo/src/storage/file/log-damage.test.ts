import { testFolder } from '@batti/kit/node/testing'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabaseFile } from './database-file.ts'

/** https://www.sqlite.org/walformat.html: whoever has the database open holds this byte of the log's index. */
const OPEN_AT = '128 128'

it.runIf(process.platform === 'linux')(
  'looking for damage keeps the lock by which other processes see that the database is open',
  async () => {
    const folder = testFolder('log')
    const path = join(folder, 'batti.db')
    openDatabaseFile(path, {}, (writer) => writer).close()
    const writer = openDatabaseFile(path, {}, (opened) => opened)
    try {
      const { ino } = statSync(`${path}-shm`)
      const locks = (): string[] => readFileSync('/proc/locks', 'utf8').split('\n')
      // The list is read in parts: while others take and release locks, one can be missing in it.
      await expect
        .poll(locks)
        .toContainEqual(expect.stringMatching(new RegExp(` ${process.pid} .*:${ino} ${OPEN_AT}$`)))
    } finally {
      writer.close()
    }
  }
)
