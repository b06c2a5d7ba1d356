import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Long } from 'bson'
import { expect, it } from 'vitest'
import { decodeExactly } from '../bson/decode.ts'
import { encodeDocument } from '../bson/encode.ts'
import { encodeCursorReply } from './cursor-reply.ts'

const DOCUMENTS = 300_000
const mebibyte = 1024 * 1024

const reply = (): Buffer => {
  const document = encodeDocument({ a: 1 })
  const documents = Array.from({ length: DOCUMENTS }, () => document)
  return Buffer.concat(encodeCursorReply({ documents, id: Long.ZERO, namespace: 'a.b', field: 'nextBatch' }, { ok: 1 }))
}

it('keeps no memory of a large batch', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  reply()
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * mebibyte)
})

it('numbers the documents of a large batch in their order', () => {
  const { document, exact } = decodeExactly(reply())
  expect([document['cursor'], exact]).toMatchObject([{ nextBatch: { length: DOCUMENTS } }, true])
})
