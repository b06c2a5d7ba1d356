import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseJson } from '@batti/kit/json'
import { z } from 'zod'

export const manifestName = 'manifest.json'

const manifestSchema = z.object({
  product: z.literal('batti'),
  /** The format of the archive, not of the data in it. */
  format: z.literal(1),
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** `elsewhere`: in a MongoDB with its own backups. */
  database: z.enum(['embedded', 'elsewhere']),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int().min(0), sha256: z.hex().length(64) }))
})

/** Describes an archive, with the checksum of each of its files. */
export type Manifest = z.infer<typeof manifestSchema>

const laterManifest = manifestSchema.pick({ product: true, version: true }).extend({ format: z.number().gt(1) })

/** Returns the version of Batti that wrote a manifest of a later format; null for any other text. */
export const laterVersionOf = (text: string): string | null =>
  laterManifest.safeParse(parseJson(text)).data?.version ?? null

/** @throws Error when the text is no manifest, or has a later format. */
export function parseManifest(text: string): Manifest {
  const { data, error } = manifestSchema.safeParse(parseJson(text))
  if (data !== undefined) return data
  const [issue] = error.issues
  throw new Error(`${[manifestName, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? ''}`)
}

/** Returns the checksum of every file below `folder` except the manifest. Paths have forward slashes. */
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

/** Describes in one clause how the files differ from the manifest; null when they match. */
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
