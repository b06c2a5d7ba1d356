import { decodeDocument, TOO_DEEP } from '../bson/decode.ts'
import type { Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import { decodeReceived } from '../bson/received.ts'

/** Supported opcodes of https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/. */
const OP_REPLY = 1
export const OP_QUERY = 2004
export const OP_MSG = 2013

export const HEADER_BYTES = 16
/** MongoDB's `maxMessageSizeBytes`. */
export const MAX_MESSAGE_BYTES = 48_000_000

const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2
const KNOWN_REQUIRED_FLAGS = CHECKSUM_PRESENT | MORE_TO_COME

export interface RequestHead {
  id: number
  opcode: typeof OP_QUERY | typeof OP_MSG
  /** The client does not expect a reply (`w: 0`). */
  noReply: boolean
}
/** A request, independent of its opcode. */
export interface Request extends RequestHead {
  command: Document
}

/** A complete message that contains an invalid document. */
export class RefusedMessage extends Error {
  readonly request: RequestHead
  readonly reply: Document
  constructor(request: RequestHead, cause: MongoError) {
    super(cause.message, { cause })
    this.request = request
    this.reply = cause.reply()
  }
}

/** The bytes are no message of this protocol. The connection is closed. */
export class ProtocolError extends Error {}

/** Reads one complete message. @throws RefusedMessage, ProtocolError, or InvalidBSON for a document in it. */
export function readMessage(message: Buffer): Request {
  const opcode = message.readInt32LE(12)
  if (opcode === OP_MSG) {
    const head: RequestHead = {
      id: message.readInt32LE(4),
      opcode,
      noReply: (message.readUInt32LE(HEADER_BYTES) & MORE_TO_COME) !== 0
    }
    try {
      return { ...head, command: readMsg(message) }
    } catch (error) {
      if (error instanceof MongoError && error.code === TOO_DEEP) throw new RefusedMessage(head, error)
      throw error
    }
  }
  if (opcode === OP_QUERY) return readQuery(message)
  throw new ProtocolError(`opcode ${opcode} is not spoken here`)
}

function readMsg(message: Buffer): Document {
  const flags = message.readUInt32LE(HEADER_BYTES)
  if ((flags & 0xffff & ~KNOWN_REQUIRED_FLAGS) !== 0) throw new ProtocolError(`unknown required flags ${flags}`)
  const end = message.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4)
  let at = HEADER_BYTES + 4
  let command: Document | null = null
  const sequences: [string, Document[]][] = []
  while (at < end) {
    const kind = message[at++]
    const size = sectionSize(message, at, end)
    if (kind === 0) {
      if (command) throw new ProtocolError('two bodies in one message')
      command = decodeDocument(message.subarray(at, at + size))
    } else if (kind === 1) {
      sequences.push(readSequence(message.subarray(at, at + size)))
    } else throw new ProtocolError(`unknown section kind ${kind}`)
    at += size
  }
  if (!command) throw new ProtocolError('a message without a body')
  for (const [name, documents] of sequences) {
    if (Object.hasOwn(command, name)) throw new ProtocolError(`field ${name} comes twice`)
    command[name] = documents
  }
  return command
}

function sectionSize(message: Buffer, at: number, end: number): number {
  if (at + 4 > end) throw new ProtocolError('a section is cut off')
  const size = message.readInt32LE(at)
  if (size < 5 || at + size > end) throw new ProtocolError(`section length ${size}`)
  return size
}

function readSequence(section: Buffer): [string, Document[]] {
  const nameEnd = section.indexOf(0, 4)
  if (nameEnd === -1) throw new ProtocolError('a sequence without a name')
  const name = section.toString('utf8', 4, nameEnd)
  if (name === '__proto__') throw new ProtocolError('a sequence with a forbidden name')
  // `documents` is the sequence of `insert`. Other sequences contain statements, which are not stored.
  const decode = name === 'documents' ? decodeReceived : decodeDocument
  const documents: Document[] = []
  let at = nameEnd + 1
  while (at < section.length) {
    const size = sectionSize(section, at, section.length)
    documents.push(decode(section.subarray(at, at + size)))
    at += size
  }
  return [name, documents]
}

/** Reads an OP_QUERY, which drivers use only for their first `hello`. */
function readQuery(message: Buffer): Request {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4)
  if (nameEnd === -1 || nameEnd + 9 > message.length) throw new ProtocolError('a query is cut off')
  const namespace = message.toString('utf8', HEADER_BYTES + 4, nameEnd)
  if (!namespace.endsWith('.$cmd')) throw new ProtocolError('legacy queries ended with MongoDB 5.1')
  const command = decodeDocument(message.subarray(nameEnd + 9))
  command['$db'] ??= namespace.slice(0, -'.$cmd'.length)
  return { id: message.readInt32LE(4), opcode: OP_QUERY, command, noReply: false }
}

/** Encodes the reply to a request, in the format of its opcode. */
export function writeReply(
  request: Pick<Request, 'id' | 'opcode'>,
  replyId: number,
  body: readonly Uint8Array[]
): Buffer {
  const prefix = request.opcode === OP_MSG ? 5 : 20
  const size = body.reduce((sum, { length }) => sum + length, HEADER_BYTES + prefix)
  const header = Buffer.alloc(HEADER_BYTES + prefix)
  header.writeInt32LE(size, 0)
  header.writeInt32LE(replyId, 4)
  header.writeInt32LE(request.id, 8)
  header.writeInt32LE(request.opcode === OP_MSG ? OP_MSG : OP_REPLY, 12)
  if (request.opcode === OP_QUERY) {
    header.writeInt32LE(8, HEADER_BYTES)
    header.writeInt32LE(1, HEADER_BYTES + 16)
  }
  return Buffer.concat([header, ...body], size)
}
