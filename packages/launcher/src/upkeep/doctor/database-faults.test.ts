import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../../config.ts'
import { describeInstallation } from '../installation.ts'
import { databaseFaults } from './database-faults.ts'

it('a database whose file is missing is a fault when its log is there, and none in a folder that is not used yet', async () => {
  const data = mkdtempSync(join(tmpdir(), 'batti-doctor-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const faults = () =>
    databaseFaults(describeInstallation(data, readSettings({})), { current: null, previous: undefined })
  expect(await faults()).toEqual([])
  mkdirSync(join(data, 'db'))
  writeFileSync(join(data, 'db', 'batti.db-wal'), 'commits')
  expect(await faults()).toMatchObject([{ what: expect.stringMatching(/batti\.db is missing, but .*batti\.db-wal/) }])
})
