import type { FirmwareFileRecord, FirmwareSort, FirmwareState, PageQuery } from '@batti/contracts'
import { conflict, notFound } from '../../platform/app-error.ts'
import { afterCommit } from '../../platform/after-commit.ts'
import { everything, pageInfo, pageOf, pageSortedBy, type Page } from '../../platform/paging.ts'
import type { FileLinks } from './file-links.ts'
import type { FirmwareFileDocument } from './firmware-file.model.ts'
import { presentFirmwareFile } from './firmware-files.present.ts'
import {
  createImageUpload,
  storageKeyOf,
  type ImageUploadOptions,
  type StoredImage,
  type UploadedImage
} from './upload-image.ts'

export interface FirmwareFilesOptions extends ImageUploadOptions {
  links: FileLinks
  /** Counts the boards that run that version, of the model if one is given. */
  countBoards(image: { version: string; hwModel: string | null }): Promise<number>
  /** Whether an active rollout sends this file. */
  isInUse(fileId: string): Promise<boolean>
  /** Called when the images available to boards have changed. */
  onChanged(): void
  /** Called when the bytes of a deleted file could not be removed. */
  onLeftBehind(error: unknown): void
}

/** The firmware files that staff upload, list, release, withdraw and delete. */
export function createFirmwareFilesService(options: FirmwareFilesOptions) {
  const { files, storage, keys, links, clock } = options
  const { storeImage, recordImage, discard } = createImageUpload(options)

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
     * POST /device-firmware-files. A refused image leaves nothing behind. `record` may run a transaction, which a slow storage would
     * outlast. @throws as `createImageUpload` does.
     */
    async upload(
      image: UploadedImage | undefined,
      record: (stored: StoredImage) => Promise<FirmwareFileRecord>
    ): Promise<FirmwareFileRecord> {
      const stored = await storeImage(image)
      try {
        return await record(stored)
      } catch (error) {
        await discard(stored)
        throw error
      }
    },

    /** Makes a stored image a file that boards may get. */
    async record(
      stored: StoredImage,
      { base, ...request }: { state: 'draft' | 'released'; userId: string; base: string }
    ): Promise<FirmwareFileRecord> {
      const recorded = await recordImage(stored, request)
      options.onChanged()
      return present(recorded, base)
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
