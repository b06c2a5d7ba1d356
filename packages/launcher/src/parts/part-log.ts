import { makeFolder } from '@batti/kit/node/folders'
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface PartLog {
  write(chunk: Buffer): void
  end(): void
}

export interface PartLogOptions {
  maxBytes?: number
  /** Called when a write failed: the output is lost. */
  onLoss?: (error: unknown) => void
}

const newline = 10

/**
 * Appends the output of a part to its log. Rotates the log at `maxBytes`, between two lines and while the part runs; one
 * old log is kept.
 */
export function openPartLog(folder: string, name: string, options: PartLogOptions = {}): PartLog {
  const { maxBytes = 5 * 1024 * 1024, onLoss } = options
  const path = join(folder, `${name}.log`)
  let file: number | null = null
  let size = 0
  let isBetweenLines = true
  let lostLines = 0
  let isOver = false

  function open(): number {
    makeFolder(folder)
    const opened = openSync(path, 'a', 0o600)
    size = fstatSync(opened).size
    return opened
  }

  /** Rotates the log. Restores the old state when it fails. */
  function rotate(old: number): number {
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

  /** Formats a log line that counts the lost lines. It begins on a new line, also after a partial one. */
  const lossNote = (): string =>
    `${isBetweenLines ? '' : '\n'}${JSON.stringify({ level: 40, part: 'log', lostLines, msg: 'lines of this log were lost' })}\n`

  /** Returns how many bytes were written: a disk that fills up stores only the beginning. */
  function put(to: number, text: Buffer): number {
    const written = writeSync(to, text)
    size += written
    isBetweenLines = text[written - 1] === newline
    return written
  }

  function noteLoss(to: number): void {
    const note = Buffer.from(lossNote())
    if (put(to, note) < note.length) throw new Error('half a note')
    lostLines = 0
  }

  return {
    write(chunk) {
      // Late output after `end`: the file descriptor may belong to another file by now.
      if (isOver) return
      try {
        file ??= open()
        if (isBetweenLines && size > 0 && size + chunk.length > maxBytes) file = rotate(file)
        if (lostLines > 0) noteLoss(file)
        lostLines = linesIn(chunk.subarray(put(file, chunk)))
      } catch (error) {
        // A full disk must lose output of the part, not stop the part.
        lostLines += linesIn(chunk)
        onLoss?.(error)
      }
    },
    end() {
      if (!isOver && file !== null) closeSync(file)
      isOver = true
    }
  }
}

/** Counts lines; a partial line counts as one. */
function linesIn(text: Buffer): number {
  let lines = 0
  for (const byte of text) if (byte === newline) lines += 1
  return text.length === 0 ? 0 : Math.max(1, lines)
}
