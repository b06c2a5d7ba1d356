import { readFile } from 'node:fs/promises'
import { versionOrderOf } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import type { Types } from 'mongoose'
import { AppError, conflict, invalid } from '../../platform/app-error.ts'
import { limitConcurrency } from '../../platform/limit-concurrency.ts'
import type { FileStore } from '../../platform/store/files/files.ts'
import type { FirmwareFileDocument } from './firmware-file.model.ts'
import type { FirmwareFilesRepository } from './firmware-files.repository.ts'
import { checkName, readUpload, type UploadFacts } from './read-upload.ts'
import type { TrustedKeys } from './trusted-keys.ts'

export interface ImageUploadOptions {
  files: FirmwareFilesRepository
  storage: Pick<FileStore, 'putFile' | 'remove'>
  keys: TrustedKeys
  clock: Clock
  /** Whether there are boards of that model here. */
  isKnownModel(hwModel: string): Promise<boolean>
}

/** An uploaded file, already on this machine's disk. */
export interface UploadedImage {
  originalName: string
  size: number
  path?: string
  sha256?: string
}

/** An image whose bytes are stored, and whose record is still to come. */
export interface StoredImage extends UploadFacts {
  id: Types.ObjectId
  key: string
  filename: string
  size: number
  sha256: string
}

/** Checking a signature reads the whole image into memory, so concurrency is limited. */
const checkedAtOnce = 2

export const storageKeyOf = (fileId: string): string => `firmware/${fileId}.bin`

/** Checks uploaded images and stores those that boards may get. */
export function createImageUpload({ files, storage, keys, clock, isKnownModel }: ImageUploadOptions) {
  const limited = limitConcurrency(checkedAtOnce)

  async function checkModel({ hwModel, secureVersion }: UploadFacts): Promise<void> {
    if (hwModel === null) return
    if (!(await isKnownModel(hwModel)))
      throw new AppError('UNPROCESSABLE', `No device type has the model ${hwModel} that this image is for.`)
    const highest = await files.highestSecureVersion(hwModel)
    if ((secureVersion ?? 0) < highest)
      throw new AppError(
        'UNPROCESSABLE',
        `The secure version ${secureVersion} is below ${highest}, the highest of ${hwModel}. Boards would refuse it.`
      )
  }

  async function checkUnique(filename: string, { hwModel, version }: UploadFacts): Promise<void> {
    if ((await files.findByName(filename)) !== null) throw conflict(`A file named ${filename} exists already.`)
    const twin = await files.findByVersion(hwModel, version)
    if (twin !== null)
      throw conflict(`Version ${version}${hwModel === null ? '' : ` of ${hwModel}`} exists already: ${twin.filename}.`)
  }

  async function recordImage(
    { id, key: _key, ...image }: StoredImage,
    { state, userId }: { state: 'draft' | 'released'; userId: string }
  ): Promise<FirmwareFileDocument> {
    const inserted = await files.insert({
      ...image,
      _id: id,
      state,
      versionOrder: versionOrderOf(image.version),
      from: null,
      uploadedBy: userId,
      createdAt: new Date(clock.now())
    })
    // Another upload was faster.
    if (inserted === null) throw conflict(`A file named ${image.filename}, or of that version, exists already.`)
    return inserted
  }

  /** Keeps the bytes if the image may be recorded all the same: the answer to a commit can get lost. */
  async function discard({ id, key }: StoredImage): Promise<void> {
    const isRecorded = await files.findById(String(id)).then(
      (file) => file !== null,
      () => true
    )
    if (!isRecorded) await storage.remove(key)
  }

  /** @throws VALIDATION, UNPROCESSABLE for an image that boards would refuse, CONFLICT for an existing name or version. */
  async function storeImage(upload: UploadedImage | undefined): Promise<StoredImage> {
    const { path, sha256 } = upload ?? {}
    if (upload === undefined || path === undefined || sha256 === undefined)
      throw invalid('firmware', 'Please choose a file')
    const filename = upload.originalName
    checkName(filename)
    const facts = await limited(async () =>
      readUpload(filename, await readFile(path), keys.isRequired ? keys.current() : null)
    )
    await checkModel(facts)
    await checkUnique(filename, facts)
    const id = files.newId()
    const key = storageKeyOf(String(id))
    await storage.putFile(key, path, 'application/octet-stream')
    return { id, key, filename, ...facts, size: upload.size, sha256 }
  }

  return { storeImage, recordImage, discard }
}
