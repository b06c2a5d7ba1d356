import { connect } from 'node:net'
import { BSON, type Document } from 'mongodb'

const HEADER_BYTES = 16
const OP_MSG = 2013

/** Reads one document after another on its own connection. */
export interface WireReader {
  /** Returns the bytes of the reply. @throws Error when the connection is lost. */
  findOne(filter: Document): Promise<number>
  close(): void
}

/**
 * A minimal client of MongoDB's protocol that can only read. A driver needs more CPU for a request than the server for the
 * reply. On two shared cores, a benchmark with a driver would measure the driver and its garbage collection.
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
