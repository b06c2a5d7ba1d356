import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Where uploaded bytes live. Keys are ours alone (`images/<random>.webp`), never what somebody typed. */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Stores the file at `path` without reading it into memory; that file itself may be moved away. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** The bytes from `start` to `end`, both included. The stream fails where there is no such file. */
  open(key: string, range: { start: number; end: number }): Promise<Readable>
  /** Null when there is no such file. */
  get(key: string): Promise<Buffer | null>
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>
}

/** One folder and a file name, both plain: no dots in front, no climbing, no separators but the one. */
export const isFileKey = (key: string): boolean => /^[a-z]{1,20}\/[A-Za-z0-9_-]{1,64}\.[a-z0-9]{1,8}$/.test(key)

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT'

/** Files below one folder of this machine. */
export function createDiskFiles(folder: string): FileStore {
  const pathOf = (key: string): string => {
    if (!isFileKey(key)) throw new Error('That is not the key of a file.')
    return join(folder, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const unfinished = `${path}.${randomUUID()}.part`
      await mkdir(join(path, '..'), { recursive: true })
      try {
        // Written beside and renamed: a full disk or a stop leaves no half a picture behind a good name.
        await writeFile(unfinished, bytes, { flush: true })
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async putFile(key, path) {
      const target = pathOf(key)
      const unfinished = `${target}.${randomUUID()}.part`
      await mkdir(join(target, '..'), { recursive: true })
      try {
        // The upload folder may be on another disk, so that it cannot simply be renamed.
        await copyFile(path, unfinished)
        await rename(unfinished, target)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    open: async (key, range) => createReadStream(pathOf(key), range),
    async get(key) {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    }
  }
}
