import { connect } from 'node:net'
import { BSON, type Document } from 'mongodb'

const HEADER_BYTES = 16
const OP_MSG = 2013

/** Finds one document after another on a connection of its own. */
export interface WireReader {
  /** Bytes of the answer. @throws Error when the connection is lost. */
  findOne(filter: Document): Promise<number>
  close(): void
}

/**
 * Speaks just enough of MongoDB's protocol to read. A driver takes more CPU to ask than the server to answer: on the two
 * cores that both share, a benchmark through it measures the driver, and the pauses of its garbage collector.
 */
export function createWireReader(uri: string, database: string, collection: string): WireReader {
  const host = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(uri)?.[1] ?? '')
  const socket = host.startsWith('/') ? connect(host) : connect(Number(host.split(':')[1]), '127.0.0.1')
  let waiting: PromiseWithResolvers<number> | null = null
  let expected = 0
  let received = 0
  let requests = 0
  socket.on('data', (chunk) => {
    if (received === 0) expected = chunk.readInt32LE(0)
    received += chunk.length
    if (received < expected) return
    received = 0
    waiting?.resolve(expected)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the database closed the connection')))

  return {
    findOne: (filter) => {
      const body = BSON.serialize({ find: collection, filter, limit: 1, singleBatch: true, $db: database })
      const head = Buffer.alloc(HEADER_BYTES + 5)
      head.writeInt32LE(head.length + body.length, 0)
      head.writeInt32LE(++requests, 4)
      head.writeInt32LE(OP_MSG, 12)
      socket.write(Buffer.concat([head, body]))
      waiting = Promise.withResolvers()
      return waiting.promise
    },
    close: () => void socket.destroy()
  }
}
