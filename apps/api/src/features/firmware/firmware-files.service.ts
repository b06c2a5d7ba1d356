import { readFile } from 'node:fs/promises'
import {
  versionOrderOf,
  type FirmwareFileRecord,
  type FirmwareSort,
  type FirmwareState,
  type PageQuery
} from '@batti/contracts'
import { AppError, conflict, invalid, notFound } from '../../platform/app-error.ts'
import { afterCommit } from '../../platform/after-commit.ts'
import type { Clock } from '@batti/kit/clock'
import { limitConcurrency } from '../../platform/limit-concurrency.ts'
import { everything, pageInfo, pageOf, pageSortedBy, type Page } from '../../platform/paging.ts'
import type { FileStore } from '../../platform/store/files/files.ts'
import type { FileLinks } from './file-links.ts'
import type { FirmwareFileDocument } from './firmware-file.model.ts'
import { presentFirmwareFile } from './firmware-files.present.ts'
import type { FirmwareFilesRepository } from './firmware-files.repository.ts'
import { checkName, readUpload } from './read-upload.ts'
import type { TrustedKeys } from './trusted-keys.ts'

export interface FirmwareFilesOptions {
  files: FirmwareFilesRepository
  storage: Pick<FileStore, 'putFile' | 'remove'>
  keys: TrustedKeys
  links: FileLinks
  clock: Clock
  /** Whether there are boards of that model here. */
  isKnownModel(hwModel: string): Promise<boolean>
  /** Counts the boards that run that version, of the model if one is given. */
  countBoards(image: { version: string; hwModel: string | null }): Promise<number>
  /** Whether an active rollout sends this file. */
  isInUse(fileId: string): Promise<boolean>
  /** Called when the images available to boards have changed. */
  onChanged(): void
  /** Called when the bytes of a deleted file could not be removed. */
  onLeftBehind(error: unknown): void
}

/** An uploaded file, already on this machine's disk. */
export interface UploadedImage {
  originalName: string
  size: number
  path?: string
  sha256?: string
}

/** Checking a signature reads the whole image into memory, so concurrency is limited. */
const checkedAtOnce = 2

export const storageKeyOf = (fileId: string): string => `firmware/${fileId}.bin`

/** The firmware files that staff upload, list, release, withdraw and delete. */
export function createFirmwareFilesService(options: FirmwareFilesOptions) {
  const { files, storage, keys, links, clock } = options
  const limited = limitConcurrency(checkedAtOnce)

  const present = (file: FirmwareFileDocument, base: string): FirmwareFileRecord =>
    presentFirmwareFile(
      file,
      keys.trust(),
      links.make(base, { id: String(file._id), filename: file.filename }, { now: clock.now() })
    )

  async function load(filename: string): Promise<FirmwareFileDocument> {
    const file = await files.findByName(filename)
    if (file === null) throw notFound('Firmware file')
    return file
  }

  async function checkModel(facts: { hwModel: string | null; secureVersion: number | null }): Promise<void> {
    const { hwModel, secureVersion } = facts
    if (hwModel === null) return
    if (!(await options.isKnownModel(hwModel)))
      throw new AppError('UNPROCESSABLE', `No device type has the model ${hwModel} that this image is for.`)
    const highest = await files.highestSecureVersion(hwModel)
    if ((secureVersion ?? 0) < highest)
      throw new AppError(
        'UNPROCESSABLE',
        `The secure version ${secureVersion} is below ${highest}, the highest of ${hwModel}. Boards would refuse it.`
      )
  }

  async function checkUnique(filename: string, hwModel: string | null, version: string): Promise<void> {
    if ((await files.findByName(filename)) !== null) throw conflict(`A file named ${filename} exists already.`)
    const twin = await files.findByVersion(hwModel, version)
    if (twin !== null)
      throw conflict(`Version ${version}${hwModel === null ? '' : ` of ${hwModel}`} exists already: ${twin.filename}.`)
  }

  /** There are few files, and an index counts the boards of each. */
  async function listByBoards(search: string | undefined, sort: string, page: Page) {
    const { files: found, total } = await files.list(search, { _id: 1 }, everything)
    const counts = new Map(
      await Promise.all(found.map(async (file) => [file, await options.countBoards(file)] as const))
    )
    return { files: pageSortedBy(found, (file) => counts.get(file) ?? 0, sort, page), total }
  }

  return {
    async list(query: Omit<PageQuery, 'sort'> & { sort?: FirmwareSort | undefined }, base: string) {
      const { search, sort } = query
      const page = pageOf(query)
      const found =
        sort === 'boards' || sort === '-boards'
          ? await listByBoards(search, sort, page)
          : await files.list(search, sortOf(sort), page)
      return { files: found.files.map((file) => present(file, base)), ...pageInfo(page, found.total) }
    },

    /**
     * POST /device-firmware-files. A refused image leaves nothing behind.
     * @throws VALIDATION, UNPROCESSABLE for an image that boards would refuse, CONFLICT for an existing name or version.
     */
    async upload(
      upload: UploadedImage | undefined,
      request: { state: 'draft' | 'released'; userId: string; base: string }
    ): Promise<FirmwareFileRecord> {
      const { path, sha256 } = upload ?? {}
      if (upload === undefined || path === undefined || sha256 === undefined)
        throw invalid('firmware', 'Please choose a file')
      const filename = upload.originalName
      checkName(filename)
      const facts = await limited(async () =>
        readUpload(filename, await readFile(path), keys.isRequired ? keys.current() : null)
      )
      await checkModel(facts)
      await checkUnique(filename, facts.hwModel, facts.version)
      const _id = files.newId()
      const key = storageKeyOf(String(_id))
      await storage.putFile(key, path, 'application/octet-stream')
      try {
        const inserted = await files.insert({
          _id,
          filename,
          ...facts,
          versionOrder: versionOrderOf(facts.version),
          size: upload.size,
          sha256,
          state: request.state,
          from: null,
          uploadedBy: request.userId,
          createdAt: new Date(clock.now())
        })
        // Another upload was faster.
        if (inserted === null) throw conflict(`A file named ${filename}, or of that version, exists already.`)
        options.onChanged()
        return present(inserted, request.base)
      } catch (error) {
        await storage.remove(key)
        throw error
      }
    },

    /** PATCH /device-firmware-files/{filename}. @throws CONFLICT for a change back to draft, or of a state that was not seen. */
    async update(
      filename: string,
      patch: {
        state?: FirmwareState | undefined
        from?: { min: string } | null | undefined
        seen?: { state: FirmwareState } | undefined
      },
      base: string
    ): Promise<FirmwareFileRecord> {
      const before = await load(filename)
      if (patch.state === 'draft' && before.state !== 'draft')
        throw conflict('A file that was released cannot become a draft again. Withdraw it instead.')
      if (patch.seen !== undefined && before.state !== patch.seen.state && before.state !== patch.state)
        throw conflict(
          before.state === 'withdrawn'
            ? 'Another admin has withdrawn this file meanwhile.'
            : 'Another admin has changed this file meanwhile.'
        )
      const updated = await files.update(filename, {
        ...(patch.state === undefined ? {} : { state: patch.state }),
        ...(patch.from === undefined ? {} : { from: patch.from })
      })
      if (updated === null) throw notFound('Firmware file')
      options.onChanged()
      return present(updated, base)
    },

    /** DELETE /device-firmware-files/{filename}. @throws CONFLICT while an active rollout uses it. */
    async remove(filename: string): Promise<void> {
      const file = await load(filename)
      const id = String(file._id)
      if (await options.isInUse(id))
        throw conflict('A rollout or an update under way uses this file. Cancel the rollout, or wait until it ends.')
      if (!(await files.delete(filename))) throw notFound('Firmware file')
      options.onChanged()
      afterCommit(() => void storage.remove(storageKeyOf(id)).catch(options.onLeftBehind))
    }
  }
}
export type FirmwareFilesService = ReturnType<typeof createFirmwareFilesService>

/** A link is sorted by its file's name. */
const sortFields: Readonly<Record<string, string>> = { version: 'versionOrder', url: 'filename' }

/** Newest version first by default; versions compare number by number. */
function sortOf(sort: FirmwareSort = 'desc'): Record<string, 1 | -1> {
  const wanted = sort === 'desc' ? '-version' : sort === 'asc' ? 'version' : sort
  const column = wanted.replace(/^-/, '')
  const direction = wanted.startsWith('-') ? -1 : 1
  return { [sortFields[column] ?? column]: direction, _id: direction }
}
