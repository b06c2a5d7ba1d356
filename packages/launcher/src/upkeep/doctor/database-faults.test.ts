import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../../config.ts'
import { describeInstallation } from '../installation.ts'
import { databaseFaults } from './database-faults.ts'

it('a missing database is a fault: of the folder that was named, or of the file when its log is there', async () => {
  const data = mkdtempSync(join(tmpdir(), 'batti-doctor-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const faults = () =>
    databaseFaults(describeInstallation(data, readSettings({})), { current: null, previous: undefined })
  expect(await faults()).toEqual([
    { what: 'There is no database', where: join(data, 'db', 'batti.db'), do: expect.stringMatching(/--data.*restore/) }
  ])
  mkdirSync(join(data, 'db'))
  writeFileSync(join(data, 'db', 'batti.db-wal'), 'commits')
  expect(await faults()).toMatchObject([{ what: expect.stringMatching(/batti\.db is missing, but .*batti\.db-wal/) }])
})
