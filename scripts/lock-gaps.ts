/**
 * Finds faults that make a package-lock.json unusable on some machines. The newest release of a tool with one binary per
 * platform is not always complete. If its own platform's binary exists, `npm install` succeeds and writes a lock without
 * the missing ones, with which `npm ci` fails on other platforms.
 */
interface LockEntry {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}
export interface Lock {
  packages: Record<string, LockEntry>
}

/** Returns one sentence per fault; none for a lock that is complete and contains no download URL. */
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

/** Tells whether Node would find `dependency` from `folder` upwards, in the exact version if one is required. */
function isLocked(lock: Lock, folder: string, dependency: string, wanted: string): boolean {
  for (let at = folder; ; at = parentFolder(at)) {
    const entry = lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${dependency}`]
    if (entry !== undefined && (!/^\d/.test(wanted) || entry.version === wanted)) return true
    if (at === '') return false
  }
}

const parentFolder = (folder: string): string => folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))
