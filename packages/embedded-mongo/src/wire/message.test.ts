import { deserialize, serialize, Long } from 'bson'
import { describe, expect, it } from 'vitest'
import type { Document } from '../bson/document.ts'
import { receivedBytes } from '../bson/received.ts'
import { encodeCursorReply } from './cursor-reply.ts'
import { OP_MSG, OP_QUERY, ProtocolError, readMessage, writeReply } from './message.ts'

function message(opcode: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16)
  header.writeInt32LE(16 + body.length, 0)
  header.writeInt32LE(77, 4)
  header.writeInt32LE(opcode, 12)
  return Buffer.concat([header, body])
}
function flags(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const body = (document: object): Buffer => Buffer.concat([Buffer.from([0]), serialize(document)])
function sequence(name: string, documents: object[]): Buffer {
  const inner = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((document) => serialize(document))])
  const size = Buffer.alloc(4)
  size.writeInt32LE(inner.length + 4)
  return Buffer.concat([Buffer.from([1]), size, inner])
}

describe('OP_MSG', () => {
  it('has a body, and sequences that become its fields', () => {
    const read = readMessage(
      message(
        OP_MSG,
        Buffer.concat([flags(0), body({ insert: 'x', $db: 'd' }), sequence('documents', [{ a: 1 }, { a: 2 }])])
      )
    )
    expect(read).toEqual({
      id: 77,
      opcode: OP_MSG,
      noReply: false,
      command: { insert: 'x', $db: 'd', documents: [{ a: 1 }, { a: 2 }] }
    })
  })

  it('keeps the bytes of each document to insert', () => {
    const documents = [{ _id: 1, a: 'x' }, { _id: 2 }]
    const read = readMessage(
      message(OP_MSG, Buffer.concat([flags(0), body({ insert: 'x', $db: 'd' }), sequence('documents', documents)]))
    )
    const received = read.command['documents'] as Document[]
    expect(received.map((document) => receivedBytes(document))).toEqual(
      documents.map((document) => Buffer.from(serialize(document)))
    )
  })

  it('may ask for no answer, and may carry a checksum', () => {
    expect(readMessage(message(OP_MSG, Buffer.concat([flags(2), body({ ping: 1 })]))).noReply).toBe(true)
    expect(readMessage(message(OP_MSG, Buffer.concat([flags(1), body({ ping: 1 }), Buffer.alloc(4)]))).command).toEqual(
      { ping: 1 }
    )
    // exhaustAllowed may be ignored.
    expect(readMessage(message(OP_MSG, Buffer.concat([flags(1 << 16), body({ ping: 1 })]))).command).toEqual({
      ping: 1
    })
  })

  it.each([
    ['two bodies', Buffer.concat([flags(0), body({ a: 1 }), body({ b: 1 })])],
    ['no body', Buffer.concat([flags(0), sequence('documents', [{}])])],
    ['an unknown section', Buffer.concat([flags(0), Buffer.from([7, 5, 0, 0, 0, 0])])],
    ['an unknown required flag', Buffer.concat([flags(4), body({ a: 1 })])],
    ['a sequence beside a field of its name', Buffer.concat([flags(0), body({ a: 1 }), sequence('a', [{}])])]
  ])('refuses %s', (_, bytes) => {
    expect(() => readMessage(message(OP_MSG, bytes))).toThrow(ProtocolError)
  })
})

describe('OP_QUERY', () => {
  const query = (namespace: string): Buffer =>
    message(
      OP_QUERY,
      Buffer.concat([flags(0), Buffer.from(`${namespace}\0`), Buffer.alloc(8), serialize({ isMaster: 1 })])
    )
  it('is accepted for the first hello only', () => {
    expect(readMessage(query('admin.$cmd')).command).toEqual({ isMaster: 1, $db: 'admin' })
    expect(() => readMessage(query('db.things'))).toThrow(ProtocolError)
  })
})

describe('replies', () => {
  it('name the request that they answer', () => {
    const reply = writeReply({ id: 77, opcode: OP_MSG }, 5, [serialize({ ok: 1 })])
    expect([reply.readInt32LE(0), reply.readInt32LE(4), reply.readInt32LE(8), reply.readInt32LE(12)]).toEqual([
      reply.length,
      5,
      77,
      OP_MSG
    ])
    expect(deserialize(reply.subarray(21))).toEqual({ ok: 1 })
  })

  it('carry documents as their stored bytes', () => {
    const documents = Array.from({ length: 12 }, (_, n) => serialize({ n }))
    const bytes = Buffer.concat(
      encodeCursorReply(
        {
          documents,
          id: Long.fromNumber(9),
          namespace: 'd.c',
          field: 'nextBatch',
          extra: { postBatchResumeToken: { a: 1 } }
        },
        { ok: 1 }
      )
    )
    expect(deserialize(bytes)).toEqual({
      ok: 1,
      cursor: {
        nextBatch: Array.from({ length: 12 }, (_, n) => ({ n })),
        id: 9,
        ns: 'd.c',
        postBatchResumeToken: { a: 1 }
      }
    })
  })
})
