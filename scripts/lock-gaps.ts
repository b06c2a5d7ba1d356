/**
 * What keeps a package-lock.json from being usable on every machine. The registry's newest releases of tools that ship
 * a binary per platform are not always complete: `npm install` passes where the own platform's binary is there, and
 * writes a lock that lacks the others; `npm ci` then fails for other people.
 */
interface LockEntry {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}
export interface Lock {
  packages: Record<string, LockEntry>
}

/** One sentence per fault; none for a lock that is complete and names no download address. */
export function lockGaps(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([folder, entry]) => {
    const faults: string[] = []
    const name = `${folder.replace(/^.*node_modules\//, '')}@${entry.version ?? '?'}`
    const missing = Object.entries(entry.optionalDependencies ?? {}).filter(
      ([dependency, wanted]) => !isLocked(lock, folder, dependency, wanted)
    )
    const example = missing[0]
    if (example !== undefined)
      faults.push(`${name} lacks ${missing.length} of its platform packages, for example ${example[0]}`)
    if (entry.resolved?.startsWith('http') === true)
      faults.push(`${name} is bound to a download address; .npmrc omits them, so make the lock anew`)
    return faults
  })
}

/** Whether `dependency` is found from `folder` upwards, as Node would, in the exact version where one is wanted. */
function isLocked(lock: Lock, folder: string, dependency: string, wanted: string): boolean {
  for (let at = folder; ; at = parentFolder(at)) {
    const entry = lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${dependency}`]
    if (entry !== undefined && (!/^\d/.test(wanted) || entry.version === wanted)) return true
    if (at === '') return false
  }
}

const parentFolder = (folder: string): string => folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))
