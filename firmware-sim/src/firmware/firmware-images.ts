import { syncFolder, syncPath } from '@batti/kit/node/durable-file'
import { createHash } from 'node:crypto'
import { appendFileSync, createReadStream, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOf } from '../stream-bytes.ts'

export type Slot = 'a' | 'b'

/** Two slots for images, each with a draft for a download. Digests are SHA-256 in hexadecimal. */
export interface ImageStore {
  /** Returns the bytes in the draft so far. */
  draftSize(slot: Slot): number
  append(slot: Slot, chunk: Uint8Array): void
  discardDraft(slot: Slot): void
  draftDigest(slot: Slot): Promise<string>
  /** Reads the whole draft, because signatures cover all of it. */
  readDraft(slot: Slot): Buffer
  /** Replaces the slot's image with the complete draft, atomically. It is on the disk when this returns. */
  install(slot: Slot): void
  /** Null when the slot is empty. */
  imageDigest(slot: Slot): Promise<string | null>
  erase(): void
}

const slots: readonly Slot[] = ['a', 'b']

export function createFileImages(folder: string, name: string): ImageStore {
  const image = (slot: Slot): string => join(folder, `${name}.${slot}.image`)
  const draft = (slot: Slot): string => `${image(slot)}.part`
  return {
    draftSize: (slot) => (existsSync(draft(slot)) ? statSync(draft(slot)).size : 0),
    append: (slot, chunk) => appendFileSync(draft(slot), chunk, { mode: 0o600 }),
    discardDraft: (slot) => rmSync(draft(slot), { force: true }),
    draftDigest: (slot) => digestFile(draft(slot)),
    readDraft: (slot) => readFileSync(draft(slot)),
    install(slot) {
      syncPath(draft(slot))
      renameSync(draft(slot), image(slot))
      syncFolder(folder)
    },
    imageDigest: async (slot) => (existsSync(image(slot)) ? digestFile(image(slot)) : null),
    erase() {
      for (const slot of slots) {
        rmSync(draft(slot), { force: true })
        rmSync(image(slot), { force: true })
      }
    }
  }
}

async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytesOf(createReadStream(path))) hash.update(chunk)
  return hash.digest('hex')
}

export function createMemoryImages(): ImageStore {
  const drafts: Record<Slot, Uint8Array[]> = { a: [], b: [] }
  const images: Record<Slot, Uint8Array[] | null> = { a: null, b: null }
  return {
    draftSize: (slot) => drafts[slot].reduce((size, chunk) => size + chunk.length, 0),
    append: (slot, chunk) => drafts[slot].push(chunk),
    discardDraft(slot) {
      drafts[slot] = []
    },
    draftDigest: async (slot) => digestChunks(drafts[slot]),
    readDraft: (slot) => Buffer.concat(drafts[slot]),
    install(slot) {
      images[slot] = drafts[slot]
      drafts[slot] = []
    },
    imageDigest: async (slot) => {
      const chunks = images[slot]
      return chunks === null ? null : digestChunks(chunks)
    },
    erase() {
      for (const slot of slots) {
        drafts[slot] = []
        images[slot] = null
      }
    }
  }
}

function digestChunks(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
