import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ownerFaults } from './folder-faults.ts'

it.runIf(process.platform !== 'win32')('names files that do not belong to the owner of the folder', () => {
  const data = mkdtempSync(join(tmpdir(), 'batti-owner-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  mkdirSync(join(data, 'certs'))
  writeFileSync(join(data, 'certs', 'ca.pem'), '')
  const { uid, gid } = statSync(data)
  expect(ownerFaults(data, { uid, gid })).toEqual([])
  expect(ownerFaults(data, { uid: uid + 1, gid })).toEqual([
    {
      what: '2 files do not belong to the owner of the data folder',
      where: join(data, 'certs'),
      do: `chown -R ${uid + 1}:${gid} ${data}`
    }
  ])
})
