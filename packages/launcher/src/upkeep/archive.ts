import { messageOf } from '@batti/kit/message-of'
import { syncFolder, syncPath } from '@batti/kit/node/durable-file'
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { create, extract } from 'tar'
import { diskRefusal } from '../data/disk-refusal.ts'
import { LaunchError } from '../launch-error.ts'
import { checksumsOf, differenceFrom, laterVersionOf, manifestName, parseManifest, type Manifest } from './manifest.ts'

/** Returns the path that an archive is written to until it is complete. */
export const draftOf = (file: string): string => `${file}.partial`

/** Writes everything below `folder` to a gzipped tar that only its owner can read, with the manifest first. */
export async function writeArchive(
  folder: string,
  file: string,
  about: Omit<Manifest, 'files' | 'product' | 'format'>
): Promise<Manifest> {
  const manifest: Manifest = { product: 'batti', format: 1, ...about, files: await checksumsOf(folder) }
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  const draft = draftOf(file)
  rmSync(draft, { force: true })
  try {
    // Create it before tar opens it, so that at no moment anybody else can read it.
    closeSync(openSync(draft, 'wx', 0o600))
    const paths = [manifestName, ...manifest.files.map(({ path }) => path)]
    await create({ file: draft, cwd: folder, gzip: true, portable: true, strict: true }, paths)
    syncPath(draft)
    renameSync(draft, file)
    syncFolder(dirname(file))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  return manifest
}

/**
 * Unpacks an archive into the empty `folder`, and checks every file against the manifest.
 * @throws LaunchError when the archive is damaged, or of a later format.
 */
export async function readArchive(file: string, folder: string): Promise<Manifest> {
  let odd: string | undefined
  try {
    await extract({
      file,
      cwd: folder,
      strict: true,
      preserveOwner: false,
      // The default refuses files that consist almost only of zeros. The checksums prove what is in an archive.
      maxDecompressionRatio: Infinity,
      dmode: 0o700,
      filter: (path, entry) => {
        const isPlain = 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
        // Report it later: an error thrown here, between two reads of the file, would be uncaught.
        if (!isPlain) odd ??= path
        return isPlain
      }
    })
    if (odd !== undefined) throw new Error(`${odd} is no plain file`)
    const written = readFileSync(join(folder, manifestName), 'utf8')
    const later = laterVersionOf(written)
    if (later !== null)
      throw new LaunchError(
        `${file} was made by version ${later} of Batti, whose archives this one cannot read: restore it with that version. Nothing was changed.`
      )
    const manifest = parseManifest(written)
    const difference = differenceFrom(manifest, await checksumsOf(folder))
    if (difference !== null) throw new Error(difference)
    return manifest
  } catch (error) {
    const refusal = error instanceof LaunchError ? error : diskRefusal(error, dirname(folder))
    if (refusal !== null) throw refusal
    const why = messageOf(error).split('\n')[0] ?? ''
    throw new LaunchError(`${file} is damaged, or no archive of Batti (${why}). Nothing was changed.`)
  }
}
