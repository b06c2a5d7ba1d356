import type { Socket } from 'node:net'
import type { Client } from '../clients.ts'
import type { Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import {
  HEADER_BYTES,
  MAX_MESSAGE_BYTES,
  readMessage,
  RefusedMessage,
  writeReply,
  type RequestHead
} from './message.ts'

/** Runs one command and resolves with its reply as BSON; never rejects. */
export type Answer = (client: Client, command: Document) => Promise<Uint8Array[]>

/** Limit of queued messages per connection. A driver sends one at a time. */
const MAX_QUEUED = 100

/**
 * Serves the protocol on one socket: splits the stream into messages and answers them in order. An invalid message (garbage,
 * a wrong length, an obsolete opcode) closes only this connection.
 */
export function serveConnection(socket: Socket, client: Client, answer: Answer, onClose: () => void): void {
  let buffered: Buffer[] = []
  let length = 0
  let replies = 0
  const queue: Buffer[] = []
  let working = false

  const work = async (): Promise<void> => {
    if (working) return
    working = true
    for (let message = queue.shift(); message !== undefined && !socket.destroyed; message = queue.shift()) {
      try {
        const request = readMessage(message)
        const body = await answer(client, request.command)
        if (!request.noReply) send(request, body)
      } catch (error) {
        // Not a message of this protocol: there is no way to answer it or to find the next message.
        if (!(error instanceof RefusedMessage)) socket.destroy()
        else if (!error.request.noReply) send(error.request, [encodeDocument(error.reply)])
      }
      if (queue.length < MAX_QUEUED / 2) socket.resume()
    }
    working = false
  }

  const send = (request: RequestHead, body: readonly Uint8Array[]): void => {
    if (socket.destroyed) return
    socket.write(writeReply(request, ++replies, body))
  }

  const cut = (): void => {
    while (length >= 4) {
      const whole = buffered.length === 1 && buffered[0] ? buffered[0] : Buffer.concat(buffered)
      buffered = [whole]
      const size = whole.readInt32LE(0)
      if (size < HEADER_BYTES + 5 || size > MAX_MESSAGE_BYTES) {
        socket.destroy()
        return
      }
      if (length < size) return
      queue.push(whole.subarray(0, size))
      buffered = [whole.subarray(size)]
      length -= size
    }
  }

  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    buffered.push(chunk)
    length += chunk.length
    // The first bytes contain the size of a message. Join its chunks only once, when it is complete.
    const [first] = buffered
    if (first && first.length >= 4) {
      const size = first.readInt32LE(0)
      if (size <= MAX_MESSAGE_BYTES && size >= HEADER_BYTES && length < size) return
    }
    cut()
    if (queue.length > MAX_QUEUED) socket.pause()
    void work()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', onClose)
}
