import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

export const manifestName = 'manifest.json'

const manifestSchema = z.object({
  product: z.literal('batti'),
  /** Of the archive, not of the data in it. */
  format: z.literal(1),
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** `elsewhere`: in a MongoDB that has backups of its own. */
  database: z.enum(['embedded', 'elsewhere']),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int().min(0), sha256: z.hex().length(64) }))
})

/** What an archive says of itself: each of its files by its checksum. */
export type Manifest = z.infer<typeof manifestSchema>

/** @throws Error where it is no manifest, or one of a later kind. */
export const parseManifest = (text: string): Manifest => manifestSchema.parse(JSON.parse(text))

/** Every file below `folder` with its checksum, by paths with slashes; the manifest itself is left out. */
export async function checksumsOf(folder: string): Promise<Manifest['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => path.slice(folder.length + 1))
    .filter((path) => path !== manifestName)
    .toSorted()
  const files: Manifest['files'] = []
  for (const path of paths) {
    const whole = join(folder, path)
    const hash = createHash('sha256')
    await pipeline(createReadStream(whole), hash)
    files.push({
      path: path.replaceAll(sep, '/'),
      bytes: (await stat(whole)).size,
      sha256: hash.digest('hex')
    })
  }
  return files
}

/** How the files differ from what the manifest says, in one clause; null where they do not. */
export function differenceFrom(manifest: Manifest, found: Manifest['files']): string | null {
  const known = new Map(found.map((file) => [file.path, file]))
  for (const { path, sha256 } of manifest.files) {
    const file = known.get(path)
    if (file === undefined) return `${path} is missing`
    if (file.sha256 !== sha256) return `${path} is not what it was`
    known.delete(path)
  }
  const [extra] = known.keys()
  return extra === undefined ? null : `${extra} does not belong to it`
}
