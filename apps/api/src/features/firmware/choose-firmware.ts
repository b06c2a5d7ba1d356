import { compareVersions, type FirmwareState } from '@batti/contracts'

/** The keys that are trusted now, and whether a trusted signature is required. */
export interface Trust {
  isRequired: boolean
  keyIds: ReadonlySet<string>
}

/** The fields of an image that decide whether it may be used. */
export interface ImageFacts {
  version: string
  hwModel: string | null
  keyId: string | null
  secureVersion: number | null
  state: FirmwareState
  from: { min: string } | null
}

/** The fields of a board that decide which image it may get. */
export interface BoardFacts {
  hwModel: string
  osVersion: string
}

export type Refusal = 'wrong-model' | 'older-secure-version' | 'withdrawn' | 'untrusted' | 'draft'

/** Signed with a trusted key, or unsigned where no signature is required. */
export const isTrusted = (image: ImageFacts, trust: Trust): boolean =>
  image.keyId === null ? !trust.isRequired : trust.keyIds.has(image.keyId)

/** Returns why this board may not get this image; null if it may. `images`: all known images of its model. */
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

/** Returns the secure version that the board runs, if its image is known. */
function secureVersionOf(board: BoardFacts, images: readonly ImageFacts[]): number {
  const running = images.find(({ hwModel, version }) => hwModel === board.hwModel && version === board.osVersion)
  return running?.secureVersion ?? 0
}

/**
 * Returns the next image to send on the way to `wanted`: `wanted` itself, or, if that requires a newer version, the newest
 * image that the board may get first. Null if there is no path.
 */
export function nextImage<Image extends ImageFacts>(
  wanted: Image,
  { hwModel, osVersion }: BoardFacts,
  known: { images: readonly Image[]; trust: Trust }
): Image | null {
  const mayTake = (image: Image, from: string): boolean =>
    image.from === null || compareVersions(from, image.from.min) >= 0
  /** By version. The number of paths doubles with each version in between, so each version is searched once. */
  const found = new Map<string, Image | null>()

  function nextFrom(from: string): Image | null {
    const earlier = found.get(from)
    if (earlier !== undefined) return earlier
    const next = mayTake(wanted, from) ? wanted : (stepsFrom(from).find(({ version }) => nextFrom(version)) ?? null)
    found.set(from, next)
    return next
  }

  const stepsFrom = (from: string): Image[] =>
    known.images
      .filter(
        (image) =>
          compareVersions(image.version, from) > 0 &&
          compareVersions(image.version, wanted.version) < 0 &&
          mayTake(image, from) &&
          refusalOf(image, { hwModel, osVersion: from }, known) === null
      )
      .toSorted((a, b) => compareVersions(b.version, a.version))

  return nextFrom(osVersion)
}

/** Withdrawn explicitly, or together with its key. */
export const isWithdrawn = (image: ImageFacts, trust: Trust): boolean =>
  image.state === 'withdrawn' || (image.keyId !== null && !isTrusted(image, trust))

/** Whether a board has no path to `wanted` only because an image on the way is withdrawn. */
export function isStepWithdrawn(
  wanted: ImageFacts,
  board: BoardFacts,
  { images, trust }: { images: readonly ImageFacts[]; trust: Trust }
): boolean {
  if (nextImage(wanted, board, { images, trust }) !== null) return false
  const inPlace = images.map((image) =>
    isWithdrawn(image, trust) ? { ...image, state: 'released' as const, keyId: null } : image
  )
  return nextImage(wanted, board, { images: inPlace, trust: { ...trust, isRequired: false } }) !== null
}

/**
 * Whether a board runs a version older than the newest released image of its model, or a withdrawn one. A newer image
 * without a model outdates no board; a withdrawn one affects boards of its version, unless their model has that version too.
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
