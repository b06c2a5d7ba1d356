import { hourMs } from '@batti/kit/durations'
import { freeBytesAt, inMebibytes, mebibyte } from '@batti/kit/node/disk-space'
import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * A file that reserves disk space beside the database. A deletion is a write, too: on a full disk it would fail like all
 * others, and nobody could make room. The reserve is then released, so that the home continues until the user makes room.
 */
export interface Reserve {
  /** Releases the space when the disk is full; reserves it when there is plenty. To be called periodically. */
  look(): Promise<void>
  /** Releases the space after a write failed on a full disk. */
  release(): void
}

export interface ReserveOptions {
  path: string
  bytes?: number
  /** Returns the free bytes on the disk. */
  freeBytes?: () => number
  /** Tells the user when the space is released, and every hour while the disk is almost full. */
  say(words: string): void
  /** Milliseconds, monotonic. */
  monotonic(): number
}

const RESERVE_BYTES = 32 * mebibyte
/** With less free space than this, any write may fail. */
const LOW_BYTES = 2 * mebibyte
/** The space is reserved when this many times as much is free, so that it does not at once consume what deletions free. */
const PLENTY = 4
/** Without a reserve, the user is reminded when less than this many times its size is free. */
const SHORT = 2
const REMIND_MS = hourMs
const MAKE_ROOM = 'Delete firmware files, logs or other files of this disk.'

export function createReserve(options: ReserveOptions): Reserve {
  const { path, bytes = RESERVE_BYTES, freeBytes = () => freeBytesAt(dirname(path)), say, monotonic } = options
  let isTaking = false
  /** When the user was last told about a full disk; null while there is room. */
  let saidAt: number | null = null
  /** When the user was last told that the disk refuses writes although it has room. */
  let refusalSaidAt = -Infinity

  const tell = (what: string): void => {
    saidAt = monotonic()
    say(`${what} ${MAKE_ROOM}`)
  }

  const remind = (): void => {
    if (saidAt !== null && monotonic() - saidAt < REMIND_MS) return
    tell(`The disk is almost full: ${inMebibytes(freeBytes())} are left.`)
  }

  const tellRefusal = (free: number): void => {
    if (monotonic() - refusalSaidAt < REMIND_MS) return
    refusalSaidAt = monotonic()
    say(
      `The disk refused a write although ${inMebibytes(free)} are free: a limit of this user or of this folder is reached, or the disk is failing.`
    )
  }

  const release = (): void => {
    const free = freeBytes()
    const held = reservedBytes(path)
    const isReleased = held > 0 && removeReserve(path)
    // The reserve may be all that a quota still has.
    if (free >= bytes * SHORT) tellRefusal(free)
    else if (isReleased) tell(`The disk is full: the ${inMebibytes(held)} that were kept for this are in use now.`)
    else remind()
  }

  return {
    release,
    async look() {
      const free = freeBytes()
      const held = reservedBytes(path)
      if (free < LOW_BYTES) release()
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

/** Releases the reserve on a full disk before a start, which writes before the database does. */
export function releaseReserveWhenFull(path: string, freeBytes = () => freeBytesAt(dirname(path))): void {
  if (reservedBytes(path) > 0 && freeBytes() < LOW_BYTES) removeReserve(path)
}

/** Writes random bytes, because a file system may allocate no space for holes or zeros. Removes the file on an error. */
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
    removeReserve(path)
  }
}

function removeReserve(path: string): boolean {
  try {
    rmSync(path, { force: true })
    return true
  } catch {
    // On Windows another program may have it open. The next failed write tries again.
    return false
  }
}

const reservedBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
