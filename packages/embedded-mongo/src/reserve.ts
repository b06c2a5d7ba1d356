import { freeBytesAt, inMebibytes, mebibyte } from '@batti/kit/node/disk-space'
import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Room of the disk that is kept beside the database. A deletion is a write as well: on a full disk it would fail as all
 * others do, and nobody could make room. Then the file is given up, and the home goes on while somebody does.
 */
export interface Reserve {
  /** Gives the room up where the disk has no other left, takes it where there is plenty. To be called now and then. */
  look(): Promise<void>
  /** A write was refused for want of room. */
  giveUp(): void
}

export interface ReserveOptions {
  path: string
  bytes?: number
  /** What the disk has left for others. */
  freeBytes?: () => number
  /** To whoever runs this: when the room is given up, and each hour while hardly any is left. */
  say(words: string): void
  /** Milliseconds that no setting of the clock changes. */
  monotonic(): number
}

const RESERVE_BYTES = 32 * mebibyte
/** With less than this any write may be refused. */
const LOW_BYTES = 2 * mebibyte
/** Taken where so many times as much is left: what deletions free is not taken away again at once. */
const PLENTY = 4
/** Said where nothing is kept and less is left. */
const SHORT = 2
const REMIND_MS = 3_600_000
const MAKE_ROOM = 'Delete firmware files, logs or other files of this disk.'

export function createReserve(options: ReserveOptions): Reserve {
  const { path, bytes = RESERVE_BYTES, freeBytes = () => freeBytesAt(dirname(path)), say, monotonic } = options
  let isTaking = false
  /** When it was last said that there is no room; null while there is. */
  let saidAt: number | null = null

  const tell = (what: string): void => {
    saidAt = monotonic()
    say(`${what} ${MAKE_ROOM}`)
  }

  const remind = (): void => {
    if (saidAt !== null && monotonic() - saidAt < REMIND_MS) return
    tell(`The disk is almost full: ${inMebibytes(freeBytes())} are left.`)
  }

  const giveUp = (): void => {
    const held = heldAt(path)
    if (held > 0 && letGo(path))
      tell(`The disk is full: the ${inMebibytes(held)} that were kept for this are in use now.`)
    else remind()
  }

  return {
    giveUp,
    async look() {
      const free = freeBytes()
      const held = heldAt(path)
      if (free < LOW_BYTES) giveUp()
      else if (free + held >= bytes * PLENTY) {
        saidAt = null
        if (isTaking || held >= bytes) return
        isTaking = true
        await fill(path, bytes)
        isTaking = false
      } else if (held === 0 && free < bytes * SHORT) remind()
    }
  }
}

/** For a start, which writes before the database does. */
export function giveUpWhereFull(path: string, freeBytes = () => freeBytesAt(dirname(path))): void {
  if (heldAt(path) > 0 && freeBytes() < LOW_BYTES) letGo(path)
}

/** Real bytes: a file system may keep no room for a hole, or for zeros. Where others were faster, nothing is kept. */
async function fill(path: string, bytes: number): Promise<void> {
  try {
    const file = await open(path, 'w', 0o600)
    try {
      const piece = randomBytes(mebibyte)
      for (let left = bytes; left > 0; left -= piece.length) await file.writeFile(piece.subarray(0, left))
    } finally {
      await file.close()
    }
  } catch {
    letGo(path)
  }
}

function letGo(path: string): boolean {
  try {
    rmSync(path, { force: true })
    return true
  } catch {
    // Another program has it open, on Windows: the next refusal tries again.
    return false
  }
}

const heldAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
