import type { ExcludedReason, FirmwareChoice } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import {
  isOutdated,
  isStepWithdrawn,
  isTrusted,
  nextImage,
  refusalOf,
  type BoardFacts,
  type Refusal,
  type Trust
} from './choose-firmware.ts'
import type { FileLinks } from './file-links.ts'
import type { FirmwareFileDocument } from './firmware-file.model.ts'
import type { FirmwareFilesRepository } from './firmware-files.repository.ts'
import type { TrustedKeys } from './trusted-keys.ts'

export interface BoardFirmwareOptions {
  files: Pick<FirmwareFilesRepository, 'findById' | 'findByName' | 'findForModel' | 'findAll'>
  keys: Pick<TrustedKeys, 'trust'>
  links: FileLinks
  clock: Clock
}

/** Decides which firmware a board may get, through which intermediate versions, and from where. */
export function createBoardFirmware({ files, keys, links, clock }: BoardFirmwareOptions) {
  return {
    /** Returns the images that one board may get, newest first; `installed` marks the one that it runs. */
    async choicesFor(board: BoardFacts): Promise<FirmwareChoice[]> {
      const images = await files.findForModel(board.hwModel)
      const known = { images, trust: keys.trust() }
      return images
        .filter((image) => refusalOf(image, board, known) === null)
        .map((image) => ({
          version: image.version,
          filename: image.filename,
          size: image.size,
          signed: image.keyId !== null,
          createdAt: image.createdAt.toISOString(),
          ...(image.version === board.osVersion ? { installed: true as const } : {})
        }))
    },

    /** For rollouts: returns an image by name with its requirements; a draft counts as released. */
    async findImageByName(filename: string) {
      const file = await files.findByName(filename)
      if (file === null) return null
      const known = { images: await files.findAll(), trust: keys.trust() }
      const image = file.state === 'draft' ? { ...file, state: 'released' as const } : file
      return {
        id: String(file._id),
        filename,
        version: file.version,
        hwModel: file.hwModel,
        blockedBy: blockedBy(file, known.trust),
        refusalOf: onceForEachKind((board) => excludedBy(refusalOf(image, board, known))),
        isReachable: onceForEachKind((board) => nextImage(image, board, known) !== null),
        isStepWithdrawn: onceForEachKind((board) => isStepWithdrawn(image, board, known))
      }
    },
    findImage: files.findById,
    /** Returns the next image to send to that board on its way to the target, or why there is none. */
    async nextImage(
      fileId: string,
      board: BoardFacts
    ): Promise<FirmwareFileDocument | ExcludedReason | 'step-withdrawn'> {
      const known = { images: await files.findAll(), trust: keys.trust() }
      const wanted = known.images.find(({ _id }) => String(_id) === fileId)
      if (wanted === undefined) return 'withdrawn'
      const found = excludedBy(refusalOf(wanted, board, known)) ?? nextImage(wanted, board, known)
      return found ?? (isStepWithdrawn(wanted, board, known) ? 'step-withdrawn' : 'needs-step')
    },
    async isReleased(fileId: string): Promise<boolean> {
      const file = await files.findById(fileId)
      return file !== null && blockedBy(file, keys.trust()) === null
    },
    /** Returns a URL for one board, valid for an hour. */
    linkFor: (file: Pick<FirmwareFileDocument, '_id' | 'filename'>, base: string, device: string): string =>
      links.make(base, { id: String(file._id), filename: file.filename }, { now: clock.now(), device }),

    /** Returns which of these boards run a version older than the newest released image of their model, or a withdrawn one. */
    async findOutdated(boards: readonly (BoardFacts & { id: string })[]): Promise<Set<string>> {
      const images = await files.findAll()
      const trusted = keys.trust()
      return new Set(boards.filter((board) => isOutdated(board, images, trusted)).map(({ id }) => id))
    }
  }
}

const excludedBy = (refusal: Refusal | null): ExcludedReason | null =>
  refusal === 'untrusted' || refusal === 'draft' ? 'withdrawn' : refusal

/** Thousands of boards are of a few models and versions. */
function onceForEachKind<Answer>(judge: (board: BoardFacts) => Answer): (board: BoardFacts) => Answer {
  const judged = new Map<string, { answer: Answer }>()
  return ({ hwModel, osVersion }) => {
    const kind = `${hwModel}\n${osVersion}`
    const known = judged.get(kind) ?? { answer: judge({ hwModel, osVersion }) }
    judged.set(kind, known)
    return known.answer
  }
}

/** Returns why an image cannot be distributed now; null if it can. */
function blockedBy(file: FirmwareFileDocument, trusted: Trust): string | null {
  if (file.state === 'draft') return `${file.filename} is a draft. Release it first.`
  if (file.state === 'withdrawn') return `${file.filename} is withdrawn.`
  if (isTrusted(file, trusted)) return null
  return file.keyId === null
    ? `${file.filename} is not signed, and this server asks for signed images.`
    : `${file.filename} was signed with a key that is withdrawn.`
}
