import type { Scratch, ScratchFile } from './scratch.ts'

/** Encodes and decodes the items of a sorter. */
export interface ItemForm<T> {
  /** Estimates the memory of an item. */
  size(item: T): number
  encode(item: T): Uint8Array
  decode(bytes: Buffer): T
}

/** Sorts items by key. The sort is stable. */
export interface Sorter<T> {
  add(key: Buffer, item: T): void
  /** Returns the items in order. Can be called once; no more items can be added. */
  sorted(): Generator<T, void, undefined>
  close(): void
}

interface Held<T> {
  key: Buffer
  item: T
}

/** A sorted run of items in the scratch file: from `at` to `end`. */
interface Run {
  at: number
  end: number
}

/** More than this is sorted in runs, which are written to a scratch file and merged at the end. */
const MEMORY_BYTES = 16 * 1024 * 1024
/** Memory overhead of an entry besides its key and its item. */
const ENTRY_BYTES = 200
const CHUNK_BYTES = 64 * 1024
const HEAD_BYTES = 8

/** `keep` is the number of first items that are needed. */
export function createSorter<T>(
  scratch: Scratch,
  form: ItemForm<T>,
  keep = Infinity,
  memoryBytes = MEMORY_BYTES
): Sorter<T> {
  let held: Held<T>[] = []
  let bytes = 0
  let file: ScratchFile | null = null
  const runs: Run[] = []
  const sizeOf = ({ key, item }: Held<T>): number => key.length + form.size(item) + ENTRY_BYTES
  const sortHeld = (): Held<T>[] => held.toSorted((a, b) => Buffer.compare(a.key, b.key)).slice(0, keep)

  function putDown(): void {
    file ??= scratch.open()
    const sorted = sortHeld()
    let at = Infinity
    let end = 0
    let parts: Uint8Array[] = []
    let waiting = 0
    const write = (to: ScratchFile): void => {
      if (waiting === 0) return
      const start = to.append(Buffer.concat(parts, waiting))
      at = Math.min(at, start)
      end = start + waiting
      parts = []
      waiting = 0
    }
    for (const { key, item } of sorted) {
      const body = form.encode(item)
      const head = Buffer.allocUnsafe(HEAD_BYTES)
      head.writeUInt32LE(key.length, 0)
      head.writeUInt32LE(body.length, 4)
      parts.push(head, key, body)
      waiting += HEAD_BYTES + key.length + body.length
      if (waiting > CHUNK_BYTES) write(file)
    }
    write(file)
    runs.push({ at, end })
    held = []
    bytes = 0
  }

  function* merged(from: ScratchFile): Generator<T, void, undefined> {
    // Items that were added earlier are in an earlier run. For equal keys, take the first run's item first.
    const heads = runs.flatMap((run) => {
      const source = readRun(from, run)
      const first = source.next()
      return first.done ? [] : [{ source, entry: first.value }]
    })
    for (let given = 0; given < keep; given++) {
      const [first, ...others] = heads
      if (!first) return
      let best = first
      for (const head of others) if (Buffer.compare(head.entry.key, best.entry.key) < 0) best = head
      yield form.decode(best.entry.body)
      const next = best.source.next()
      if (next.done) heads.splice(heads.indexOf(best), 1)
      else best.entry = next.value
    }
  }

  return {
    add: (key, item) => {
      const entry = { key, item }
      held.push(entry)
      bytes += sizeOf(entry)
      if (held.length >= keep * 2 + 1024) {
        held = sortHeld()
        bytes = held.reduce((sum, one) => sum + sizeOf(one), 0)
      }
      if (bytes > memoryBytes) putDown()
    },
    sorted: function* sorted() {
      if (!file) {
        const all = sortHeld()
        held = []
        for (const { item } of all) yield item
        return
      }
      if (held.length > 0) putDown()
      yield* merged(file)
    },
    close: () => {
      held = []
      file?.close()
      file = null
    }
  }
}

function* readRun(file: ScratchFile, run: Run): Generator<{ key: Buffer; body: Buffer }, void, undefined> {
  let chunk = Buffer.alloc(0)
  let at = run.at
  let inChunk = 0
  const ensure = (length: number): void => {
    if (chunk.length - inChunk >= length) return
    const rest = chunk.subarray(inChunk)
    const more = file.read(at, Math.min(Math.max(CHUNK_BYTES, length - rest.length), run.end - at))
    at += more.length
    chunk = Buffer.concat([rest, more])
    inChunk = 0
  }
  while (at < run.end || inChunk < chunk.length) {
    ensure(HEAD_BYTES)
    const keyLength = chunk.readUInt32LE(inChunk)
    const bodyLength = chunk.readUInt32LE(inChunk + 4)
    ensure(HEAD_BYTES + keyLength + bodyLength)
    const start = inChunk + HEAD_BYTES
    inChunk = start + keyLength + bodyLength
    yield { key: chunk.subarray(start, start + keyLength), body: chunk.subarray(start + keyLength, inChunk) }
  }
}
