import type { Server } from 'node:http'
import { addressGroup } from '@batti/kit/address'
import { z } from 'zod'
import { createOpenCounts } from '../open-counts.ts'

/** More than screens that are open at one api. */
const mostInAnyCase = 20_000
/** The rest is for boards, the database and what is written. */
const shareOfFiles = 0.6
/** A connection is one, and what is sent through it may be another. */
const filesOfOne = 2

const reported = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) })

/** How many files this process may open; undefined where nobody can say, or where there is no limit. */
export function openFilesMax(): number | undefined {
  // Else it asks name servers for the name of everybody who is connected.
  Object.assign(process.report, { excludeNetwork: true })
  return reported.safeParse(process.report.getReport()).data?.userLimits.open_files.soft
}

/** So many that none of them costs the process a file that something else needs. */
export const connectionsMax = (files = openFilesMax()): number =>
  files === undefined ? mostInAnyCase : Math.min(mostInAnyCase, Math.floor((files * shareOfFiles) / filesOfOne))

export interface ConnectionLimits {
  all: number
  /** Of one address, proxies of ours excepted; undefined for no limit. */
  each: number | undefined
  /** Everybody comes from it. */
  isProxy(address: string): boolean
}

/** What is too much is closed unheard. */
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
 * Ends connections whose answer has begun and of which nothing is taken any more. One that is still worked on, or
 * a socket that was upgraded, is not meant. Of a write that hangs Node tells at the second look: within twice that time.
 */
export function endUnreadAnswers(server: Server, unreadMs = 30_000): void {
  server.on('request', (request, response) => {
    response.setTimeout(unreadMs, () => {
      if (response.headersSent) request.socket.destroy()
    })
  })
}
