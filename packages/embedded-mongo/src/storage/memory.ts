import { Binary } from 'bson'
import { isDocument } from '../bson/document.ts'
import { MongoError } from '../errors.ts'

/** Memory budget for the values of all queries together, which fits in the heap of a small server. */
const usualBytes = 96 * 1024 * 1024

/** The memory budget that the queries of a server share for data that cannot be streamed. */
export interface Memory {
  share(stage: string): MemoryShare
  /** Returns the bytes in use. */
  held(): number
}

export interface MemoryShare {
  /** Allocates bytes. Throws error 292, like MongoDB when a stage may not use the disk. */
  hold(bytes: number): void
  /** Releases everything. */
  release(): void
}

export function createMemory(mostBytes = usualBytes): Memory {
  let total = 0
  return {
    held: () => total,
    share: (stage) => {
      let own = 0
      return {
        hold: (bytes) => {
          own += bytes
          total += bytes
          if (total <= mostBytes) return
          throw new MongoError(
            292,
            `Exceeded memory limit for ${stage}: the queries of this server may hold ${mostBytes / 1024 / 1024} MiB of values`
          )
        },
        release: () => {
          total -= own
          own = 0
        }
      }
    }
  }
}

/** Estimates the memory of a value. */
export function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length
  if (typeof value !== 'object' || value === null) return 12
  if (Array.isArray(value)) return value.reduce((sum: number, element: unknown) => sum + 8 + sizeOfValue(element), 48)
  if (isDocument(value)) return Object.values(value).reduce((sum: number, inner) => sum + 8 + sizeOfValue(inner), 56)
  return value instanceof Binary ? 200 + value.length() : 64
}
