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
  const path = join(folder, `${name}.log`)
  let file: number | null = null
  let size = 0
  let isBetweenLines = true
  let isOver = false

  function open(): number {
    makeFolder(folder)
    const opened = openSync(path, 'a', 0o600)
    size = fstatSync(opened).size
    return opened
  }

  /** Where it fails, everything is as it was. */
  function putAside(old: number): number {
    renameSync(path, `${path}.old`)
    try {
      const next = open()
      closeSync(old)
      return next
    } catch (error) {
      renameSync(`${path}.old`, path)
      throw error
    }
  }

  return {
    write(chunk) {
      // Of a part that is given up: its number may be that of another file by now.
      if (isOver) return
      try {
        file ??= open()
        if (isBetweenLines && size > 0 && size + chunk.length > maxBytes) file = putAside(file)
        size += writeSync(file, chunk)
        isBetweenLines = chunk.at(-1) === newline
      } catch {
        // A full disk loses what the part says, not the part.
      }
    },
    end() {
      if (!isOver && file !== null) closeSync(file)
      isOver = true
    }
  }
}
