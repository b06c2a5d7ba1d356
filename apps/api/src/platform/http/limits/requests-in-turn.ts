import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '@batti/kit/address'
import { createAddressTurns } from './address-turns.ts'

/** More than any client pipelines: browsers and proxies wait for each answer. */
const mostWaiting = 100

/**
 * Handles the requests of one connection one after the other, and those of one address in turns (`createAddressTurns`). Node
 * begins all requests as soon as it has read them, thousands of one client before it looks at another. A connection with too
 * many requests in the line is closed; clients send those without an answer again (RFC 9112, 9.3.2).
 * Call it once all listeners for requests have been added: it passes requests on to them.
 */
export function handleInTurn(
  server: Server,
  {
    addressOf,
    waitingMax = mostWaiting
  }: { addressOf(request: IncomingMessage): string; waitingMax?: number | undefined }
): void {
  const listeners = server.listeners('request')
  const lines = new WeakMap<Socket, (() => void)[]>()
  const inTurn = createAddressTurns()
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    const handle = (): void => {
      if (socket.destroyed) return
      response.once('close', () => {
        const next = lines.get(socket)?.shift()
        if (next === undefined) lines.delete(socket)
        else setImmediate(next)
      })
      for (const listener of listeners) listener.call(server, request, response)
    }
    const wait = (): void => inTurn(addressGroup(addressOf(request)), handle)
    const line = lines.get(socket)
    if (line === undefined) {
      lines.set(socket, [])
      wait()
    } else if (line.length < waitingMax) line.push(wait)
    else socket.destroy()
  })
}
