import { makeFolder } from '@batti/kit/node/folders'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { longestRequestMs } from '../../http/limits/slow-bodies.ts'
import { isFileKey, type FileStore } from './files.ts'

/** In names of notes, which are in one folder; keys do not contain it. */
const separator = '~'

/**
 * Notes each file in `folder` before it is stored. A file is stored before its record, so a process that is killed in between
 * leaves one that no record will ever name. Notes also what could not be removed, as while a bucket is away.
 */
export function createNotedFiles(files: FileStore, folder: string) {
  makeFolder(folder)
  const note = (key: string): Promise<void> => writeFile(join(folder, key.replace('/', separator)), '')

  async function settle(name: string, isNamed: (key: string) => Promise<boolean>, now: number): Promise<void> {
    const key = name.replace(separator, '/')
    const path = join(folder, name)
    const noted = await stat(path).catch(() => null)
    if (noted === null || !isFileKey(key) || now - noted.mtimeMs <= longestRequestMs) return
    if (!(await isNamed(key))) await files.remove(key)
    await rm(path, { force: true })
  }

  return {
    files: {
      ...files,
      async put(key, bytes, contentType) {
        await note(key)
        await files.put(key, bytes, contentType)
      },
      async putFile(key, path, contentType) {
        await note(key)
        await files.putFile(key, path, contentType)
      },
      async remove(key) {
        try {
          await files.remove(key)
        } catch (error) {
          // Its record may be gone already: then nothing but the note leads to the file.
          await note(key)
          throw error
        }
      }
    } satisfies FileStore,
    /** Removes noted files that no record names, and the notes. Leaves those alone whose request may still be under way. */
    async settleNotes(isNamed: (key: string) => Promise<boolean>, now: number): Promise<void> {
      for (const name of await readdir(folder)) await settle(name, isNamed, now)
    }
  }
}
