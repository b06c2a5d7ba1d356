import { freeBytesAt, inMebibytes, mebibyte } from '@batti/kit/node/disk-space'
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { keepsRights, noRights } from '../../data/kept-rights.ts'
import { readOnlyFault, type Fault } from './fault.ts'

const minimumFreeBytes = 1024 * mebibyte
/** Each part rotates its log at 5 MiB, so all logs together are normally far below this. */
const maximumLogBytes = 200 * mebibyte

/** Checks permissions and owners of the data folder, free disk space, and the size of the logs. */
export async function folderFaults(data: string, hasRights = keepsRights): Promise<Fault[]> {
  return [
    ...rightsFaults(data, hasRights),
    ...ownerFaults(data, statSync(data)),
    ...spaceFaults(data),
    ...(await logFaults(join(data, 'logs')))
  ]
}

function rightsFaults(data: string, hasRights: typeof keepsRights): Fault[] {
  const faults: Fault[] = []
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    faults.push(
      readOnlyFault(error, data) ?? {
        what: 'The data folder cannot be read and written by the person who runs this',
        where: data,
        do: 'Run Batti and doctor as the owner of the folder, or give it to them: chown -R USER FOLDER.'
      }
    )
  }
  // Windows has no permission bits.
  if (process.platform === 'win32') return faults
  // There `chmod` changes nothing.
  if (!hasRights(data)) return [...faults, { ...noRights, where: data }]
  if ((modeOf(data) & 0o022) !== 0)
    faults.push({ what: 'Others may write into the data folder', where: data, do: `chmod 700 ${data}` })
  const folders = ['db', 'certs', 'api', 'boards'].map((name) => join(data, name))
  const files = ['secrets.json', 'certs/ca-key.pem', 'certs/broker-key.pem'].map((name) => join(data, name))
  for (const [paths, mode] of [
    [folders, '700'],
    [files, '600']
  ] as const)
    for (const path of paths)
      if ((modeOf(path) & 0o077) !== 0)
        faults.push({
          what: 'Others on this machine may read what is private',
          where: path,
          do: `chmod ${mode} ${path}`
        })
  return faults
}

/** Finds files of another user, such as root after a start with sudo: the folder's owner cannot read or replace them. */
export function ownerFaults(data: string, { uid, gid }: { uid: number; gid: number }): Fault[] {
  if (process.platform === 'win32') return []
  const others = pathsIn(data).filter(
    (path) => ![uid, undefined].includes(lstatSync(path, { throwIfNoEntry: false })?.uid)
  )
  const [first] = others
  if (first === undefined) return []
  return [
    {
      what: `${others.length === 1 ? 'A file does' : `${others.length} files do`} not belong to the owner of the data folder`,
      where: first,
      do: `chown -R ${uid}:${gid} ${data}`
    }
  ]
}

/** Lists everything below a folder that this user may read. */
function pathsIn(folder: string): string[] {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? [path, ...pathsIn(path)] : [path]
  })
}

/** The permission bits; 0 for a missing file. */
const modeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mode ?? 0

function spaceFaults(data: string): Fault[] {
  const free = freeBytesAt(data)
  const database = statSync(join(data, 'db', 'batti.db'), { throwIfNoEntry: false })?.size ?? 0
  if (free >= Math.max(minimumFreeBytes, database)) return []
  return [
    {
      what: `Only ${inMebibytes(free)} are free on the disk`,
      where: data,
      do: 'Make room or move the folder to a larger disk: without room nothing is stored, and no backup fits.'
    }
  ]
}

async function logFaults(folder: string): Promise<Fault[]> {
  if (!existsSync(folder)) return []
  const sizes = (await readdir(folder)).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= maximumLogBytes) return []
  return [
    {
      what: `The logs have grown to ${inMebibytes(total)}`,
      where: folder,
      do: 'Look what is logged so often, then stop Batti and remove them; LOG_LEVEL=warn keeps them short.'
    }
  ]
}
