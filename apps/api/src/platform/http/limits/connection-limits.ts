import type { Server } from 'node:http'
import { addressGroup } from '@batti/kit/address'
import { openFilesMax } from '@batti/kit/node/open-files'
import { createOpenCounts } from '../../open-counts.ts'

/** More than the screens that one api ever has open. */
const mostInAnyCase = 20_000
/** The rest is for boards, the database and files. */
const shareOfFiles = 0.6
/** A connection takes one descriptor, and what is sent through it may take another. */
const filesOfOne = 2

/** Returns how many connections leave enough file descriptors for everything else. */
export const connectionsMax = (files = openFilesMax()): number =>
  files === undefined ? mostInAnyCase : Math.min(mostInAnyCase, Math.floor((files * shareOfFiles) / filesOfOne))

export interface ConnectionLimits {
  all: number
  /** Connections per address, trusted proxies excepted; undefined for no limit. */
  each: number | undefined
  /** Whether the address is a trusted proxy, from which all clients come. */
  isProxy(address: string): boolean
}

/** Closes excess connections without an answer. */
export function boundConnections(server: Server, { all, each = Infinity, isProxy }: ConnectionLimits): void {
  const open = createOpenCounts()
  server.maxConnections = all
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address)) return
    const key = addressGroup(address)
    if (open.of(key) >= each) socket.destroy()
    else socket.once('close', open.open(key))
  })
}

/**
 * Closes connections whose answer has begun but is no longer read. Requests in progress and upgraded sockets are not
 * affected. Node reports a stalled write at its second check, so this takes up to twice the time.
 */
export function endUnreadAnswers(server: Server, unreadMs = 30_000): void {
  server.on('request', (request, response) => {
    response.setTimeout(unreadMs, () => {
      if (response.headersSent) request.socket.destroy()
    })
  })
}
