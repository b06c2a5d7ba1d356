import { compareVersions, type FirmwareState } from '@batti/contracts'

/** Which keys are trusted now, and whether an image without a trusted signature is refused. */
export interface Trust {
  isRequired: boolean
  keyIds: ReadonlySet<string>
}

/** What decides about an image, whatever else is stored of it. */
export interface ImageFacts {
  version: string
  hwModel: string | null
  keyId: string | null
  secureVersion: number | null
  state: FirmwareState
  from: { min: string } | null
}

/** What decides about a board. */
export interface BoardFacts {
  hwModel: string
  osVersion: string
}

export type Refusal = 'wrong-model' | 'older-secure-version' | 'withdrawn' | 'untrusted' | 'draft'

/** Signed by a key that is trusted, or unsigned where no signature is asked for. */
export const isTrusted = (image: ImageFacts, trust: Trust): boolean =>
  image.keyId === null ? !trust.isRequired : trust.keyIds.has(image.keyId)

/** Why this board may not take this image; null when it may. `images` are all that are known of its model. */
export function refusalOf(
  image: ImageFacts,
  board: BoardFacts,
  known: { images: readonly ImageFacts[]; trust: Trust }
): Refusal | null {
  if (image.hwModel !== null && image.hwModel !== board.hwModel) return 'wrong-model'
  if ((image.secureVersion ?? 0) < secureVersionOf(board, known.images)) return 'older-secure-version'
  if (image.state === 'withdrawn') return 'withdrawn'
  if (!isTrusted(image, known.trust)) return 'untrusted'
  return image.state === 'draft' ? 'draft' : null
}

/** The secure version of what the board runs, as far as that image is known. */
function secureVersionOf(board: BoardFacts, images: readonly ImageFacts[]): number {
  const running = images.find(({ hwModel, version }) => hwModel === board.hwModel && version === board.osVersion)
  return running?.secureVersion ?? 0
}

/**
 * What to send a board on its way to `wanted`: that itself, or the newest image that it may take first where the wanted
 * one asks for a newer board. Null: no way leads there.
 */
export function nextImage<Image extends ImageFacts>(
  wanted: Image,
  board: BoardFacts,
  known: { images: readonly Image[]; trust: Trust }
): Image | null {
  const mayTake = (image: Image, osVersion: string): boolean =>
    image.from === null || compareVersions(osVersion, image.from.min) >= 0
  if (mayTake(wanted, board.osVersion)) return wanted
  const steps = known.images
    .filter(
      (image) =>
        compareVersions(image.version, board.osVersion) > 0 &&
        compareVersions(image.version, wanted.version) < 0 &&
        mayTake(image, board.osVersion) &&
        refusalOf(image, board, known) === null
    )
    .toSorted((a, b) => compareVersions(b.version, a.version))
  // The newest first step from which the rest of the way leads on.
  return steps.find((step) => nextImage(wanted, { ...board, osVersion: step.version }, known) !== null) ?? null
}

/** By hand, or with its key. */
export const isWithdrawn = (image: ImageFacts, trust: Trust): boolean =>
  image.state === 'withdrawn' || (image.keyId !== null && !isTrusted(image, trust))

/**
 * Whether a board runs something older than the newest released image of its model, or a withdrawn one. A newer image
 * without a model makes nobody outdated; a withdrawn one is what boards of its version run, unless their model has that too.
 */
export function isOutdated(board: BoardFacts, images: readonly ImageFacts[], trust: Trust): boolean {
  const ofModel = images.filter(({ hwModel }) => hwModel === board.hwModel)
  const isRunning = ({ version }: ImageFacts): boolean => version === board.osVersion
  const running = ofModel.find(isRunning) ?? images.find((image) => image.hwModel === null && isRunning(image))
  if (running !== undefined && isWithdrawn(running, trust)) return true
  return ofModel.some(
    (image) =>
      image.state === 'released' && isTrusted(image, trust) && compareVersions(board.osVersion, image.version) < 0
  )
}
