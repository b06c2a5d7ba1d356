import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock } from '@batti/kit/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createDiskFiles } from '../../platform/store/files/files.ts'
import { createTransactions } from '../../platform/store/transactions.ts'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createFirmwareFileModel } from './firmware-file.model.ts'
import { createFirmwareFilesRepository } from './firmware-files.repository.ts'
import { createFirmwareFilesService, type FirmwareFilesOptions } from './firmware-files.service.ts'

/** Firmware files on a database and a disk, with an image that was uploaded. */
async function setUp() {
  const { connection, close } = await connectTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'batti-firmware-'))
  onTestFinished(async () => {
    await close()
    await rm(folder, { recursive: true })
  })
  const model = createFirmwareFileModel(connection)
  await model.createCollection()
  const path = join(folder, 'upload')
  await writeFile(path, randomBytes(100))
  const service = createFirmwareFilesService({
    files: createFirmwareFilesRepository(model),
    storage: createDiskFiles(folder),
    keys: { isRequired: false, current: () => [], trust: () => ({ isRequired: false, keyIds: new Set() }) },
    clock: createFakeClock(),
    links: { make: () => '' } as unknown as FirmwareFilesOptions['links'],
    isKnownModel: () => Promise.resolve(true),
    countBoards: () => Promise.resolve(0),
    isInUse: () => Promise.resolve(false),
    onChanged: () => undefined,
    onLeftBehind: () => undefined
  })
  const image = { originalName: 'wall-1.4.2.bin', size: 100, path, sha256: 'a'.repeat(64) }
  const request = { state: 'draft' as const, userId: '65b000000000000000000001', base: '' }
  const kept = (): Promise<string[]> => readdir(join(folder, 'firmware')).catch(() => [])
  return { service, image, request, kept, model, inTransaction: createTransactions(connection) }
}

test('an upload whose transaction fails leaves neither a record nor bytes', async () => {
  const { service, image, request, kept, model, inTransaction } = await setUp()
  const failed = service.upload(image, (stored) =>
    inTransaction(async () => {
      await service.record(stored, request)
      throw new Error('no row of the audit log')
    })
  )
  await expect(failed).rejects.toThrow('no row')
  expect([await kept(), await model.countDocuments()]).toEqual([[], 0])
})

test('an upload that is recorded although its answer failed keeps its bytes', async () => {
  const { service, image, request, kept, model } = await setUp()
  const failed = service.upload(image, async (stored) => {
    await service.record(stored, request)
    throw new Error('the answer to the commit was lost')
  })
  await expect(failed).rejects.toThrow('was lost')
  expect([(await kept()).length, await model.countDocuments()]).toEqual([1, 1])
})
