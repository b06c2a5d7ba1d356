import { replaceFile } from '@batti/kit/node/durable-file'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createFileImages, createMemoryImages, type ImageStore } from '../firmware/firmware-images.ts'
import { factoryRecord, flashRecord, type FlashRecord } from './flash-record.ts'

/** The storage that survives without power: one record, and the firmware images. */
export interface Flash {
  /** Loads the record. When the stored one is damaged, returns the factory record, and the reason in `damage`. */
  load(): { record: FlashRecord; damage: string | null }
  /** Stores the record; with `durable` it is on the disk when this returns. */
  save(record: FlashRecord, durable: boolean): void
  /** Erases the record and the images. */
  erase(): void
  readonly images: ImageStore
}

const magic = 'batti-flash 1'
const fileName = (mac: string): string => mac.replaceAll(':', '')

/** Creates a flash that is stored as files in `folder`, named after the MAC. */
export function createFileFlash(folder: string, mac: string): Flash {
  const path = join(folder, `${fileName(mac)}.flash`)
  const images = createFileImages(folder, fileName(mac))
  return {
    images,
    load() {
      if (!existsSync(path)) return { record: factoryRecord(mac), damage: null }
      const read = decode(readFileSync(path, 'utf8'))
      if (typeof read !== 'string' && read.mac === mac) return { record: read, damage: null }
      const fault = typeof read === 'string' ? read : 'it belongs to another board'
      return {
        record: factoryRecord(mac),
        damage: `The flash could not be read (${fault}). The board is back in its factory state.`
      }
    },
    save: (record, durable) => replaceFile(path, encode(record), durable),
    erase() {
      rmSync(path, { force: true })
      images.erase()
    }
  }
}

/** Creates a flash in memory, for fleets and tests. */
export function createMemoryFlash(mac: string): Flash {
  let content: string | null = null
  const images = createMemoryImages()
  return {
    images,
    load: () => ({
      record: content === null ? factoryRecord(mac) : flashRecord.parse(JSON.parse(content)),
      damage: null
    }),
    save(record) {
      content = JSON.stringify(record)
    },
    erase() {
      content = null
      images.erase()
    }
  }
}

function encode(record: FlashRecord): string {
  const body = JSON.stringify(record)
  return `${magic} ${checksum(body)}\n${body}`
}

/** Decodes the record, or returns what is wrong with the text. */
function decode(text: string): FlashRecord | string {
  const end = text.indexOf('\n')
  const body = text.slice(end + 1)
  if (end < 0 || text.slice(0, end) !== `${magic} ${checksum(body)}`) return 'its checksum is wrong'
  const parsed = flashRecord.safeParse(JSON.parse(body))
  return parsed.success ? parsed.data : 'it was written by another version'
}

const checksum = (body: string): string => createHash('sha256').update(body).digest('hex')
