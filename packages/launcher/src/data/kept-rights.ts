import { closeSync, fstatSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether a file in this folder keeps the rights that it is given. On a memory stick (exFAT, FAT) and on some network shares all files
 * have those of the mount. A folder that cannot be written to counts as keeping them: that is another fault.
 */
export function keepsRights(folder: string): boolean {
  // Windows has no permission bits.
  if (process.platform === 'win32') return true
  const path = join(folder, 'try.rights')
  try {
    const file = openSync(path, 'w', 0o600)
    const { mode } = fstatSync(file)
    closeSync(file)
    rmSync(path)
    return (mode & 0o077) === 0
  } catch {
    return true
  }
}

/** What the owner of such a folder is told. */
export const noRights = {
  what: 'Others on this machine may read what is private: the file system keeps no rights, as on a memory stick',
  do: 'Mount it for the user who runs Batti alone (uid=USER,umask=077), or move the folder to another disk.'
}
