import { makeFolder } from '@batti/kit/node/folders'
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface PartLog {
  write(chunk: Buffer): void
  end(): void
}

const newline = 10

/**
 * What a part says goes on where it was. A log that has grown long is put aside, in place of the one before, between two
 * lines and while the part runs.
 */
export function openPartLog(folder: string, name: string, maxBytes = 5 * 1024 * 1024): PartLog {
  makeFolder(folder)
  const path = join(folder, `${name}.log`)
  const open = (): number => openSync(path, 'a', 0o600)
  let file = open()
  let size = fstatSync(file).size
  let isBetweenLines = true
  let isOver = false

  /** Where it fails, everything is as it was. */
  function putAside(): void {
    renameSync(path, `${path}.old`)
    let next: number
    try {
      next = open()
    } catch (error) {
      renameSync(`${path}.old`, path)
      throw error
    }
    closeSync(file)
    file = next
    size = 0
  }

  return {
    write(chunk) {
      // Of a part that is given up: its number may be that of another file by now.
      if (isOver) return
      try {
        if (isBetweenLines && size > 0 && size + chunk.length > maxBytes) putAside()
        size += writeSync(file, chunk)
        isBetweenLines = chunk.at(-1) === newline
      } catch {
        // A full disk loses what the part says, not the part.
      }
    },
    end() {
      if (!isOver) closeSync(file)
      isOver = true
    }
  }
}
