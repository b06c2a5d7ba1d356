import { versionPattern, firmwareVersion } from '@batti/contracts'
import { judgeImage, type TrustedKey } from '@batti/firmware/image-block'
import { AppError, invalid } from '../../platform/app-error.ts'

/** What an upload's name and signature block say. */
export interface UploadFacts {
  version: string
  hwModel: string | null
  keyId: string | null
  secureVersion: number | null
}

const unprocessable = (message: string): AppError => new AppError('UNPROCESSABLE', message)

/** Returns the version at the end of a file name such as `name-1.4.2.bin`; null if there is none. */
function versionInName(filename: string): string | null {
  const found = /[-_]v?(\d+(?:\.\d+){1,3})\.bin$/i.exec(filename)?.[1]
  return found !== undefined && versionPattern.test(found) ? found : null
}

/** Allows only characters that need no escaping in headers, paths and shells. */
export function checkName(filename: string): void {
  if (!/^[A-Za-z0-9][\w.+ ()-]{0,199}$/.test(filename))
    throw invalid('firmware', 'must have a name of at most 200 letters, digits, dots, dashes and underscores')
}

/**
 * Reads version, model and signature of an upload. If `keys` is null, no key is trusted and the signature is ignored.
 * @throws AppError VALIDATION for a name without a version, UNPROCESSABLE for an image that no board may get.
 */
export function readUpload(filename: string, image: Buffer, keys: readonly TrustedKey[] | null): UploadFacts {
  const named = versionInName(filename)
  if (keys === null) {
    if (named === null) throw noVersion()
    return { version: named, hwModel: null, keyId: null, secureVersion: null }
  }
  const verdict = judgeImage(image, keys)
  if (verdict.kind === 'unsigned')
    throw unprocessable('This image is not signed. Sign it with `npm run firmware -- sign` and a trusted key.')
  if (verdict.kind === 'damaged') throw unprocessable(`This image is damaged: ${verdict.reason}.`)
  if (verdict.kind === 'unknown-key')
    throw unprocessable(`This image was signed with the key ${verdict.block.keyId}, which is not trusted here.`)
  if (verdict.kind === 'changed') throw unprocessable('This image was changed after it was signed.')
  const { version, hwModel, keyId, secureVersion } = verdict.block
  if (!firmwareVersion.safeParse(version).success)
    throw unprocessable('The version in the signed image must be a version such as 1.4.2.')
  if (named !== null && named !== version)
    throw unprocessable(`The file name says version ${named}, the signed image says ${version}. They must agree.`)
  return { version, hwModel, keyId, secureVersion }
}

const noVersion = (): AppError =>
  invalid('firmware', 'must have a name that ends in its version, for example name-1.4.2.bin')
