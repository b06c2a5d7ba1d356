import type { Readable } from 'node:stream'

/** Types the chunks of a byte stream, which are `any` in Node's types. */
export function bytesOf(stream: Readable): AsyncIterable<Buffer> {
  return stream as AsyncIterable<Buffer>
}

/** Reads a whole stream as UTF-8. Returns null as soon as it is longer than `maxBytes`. */
export async function readText(stream: Readable, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytesOf(stream)) {
    size += chunk.length
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
