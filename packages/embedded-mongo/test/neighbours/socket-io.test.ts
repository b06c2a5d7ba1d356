import { createServer, type Server as HttpServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdapter } from '@socket.io/mongo-adapter'
import { MongoClient } from 'mongodb'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabaseName, startTestDatabase, type TestDatabase } from '../../src/testing.ts'
import { until } from '@batti/kit/testing'

interface Node {
  io: Server
  http: HttpServer
  client: MongoClient
  url: string
}

describe('@socket.io/mongo-adapter', () => {
  let database: TestDatabase
  let nodes: Node[] = []
  const sockets: Socket[] = []

  beforeAll(async () => {
    database = await startTestDatabase()
    const name = createDatabaseName('socketio')
    const startNode = async (): Promise<Node> => {
      const client = await MongoClient.connect(database.uri)
      const events = client.db(name).collection('socket.io-adapter-events')
      await events.createIndex({ createdAt: 1 }, { expireAfterSeconds: 3600 })
      const http = createServer()
      const server = new Server(http, {
        adapter: createAdapter(events, {
          addCreatedAtField: true,
          heartbeatInterval: 200,
          heartbeatTimeout: 60_000
        })
      })
      http.listen(0, '127.0.0.1')
      await once(http, 'listening')
      return { io: server, http, client, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
    }
    nodes = [await startNode(), await startNode()]
    for (const node of nodes) node.io.on('connection', (socket) => void socket.join('home'))
  })
  afterAll(async () => {
    for (const socket of sockets) socket.disconnect()
    for (const node of nodes) {
      await node.io.close()
      await node.client.close()
    }
    await database?.stop()
  })

  it('carries messages, acknowledgements and presence between two servers', async () => {
    const connected = nodes.map(({ url }) => {
      const socket = io(url, { transports: ['websocket'] })
      sockets.push(socket)
      return socket
    })
    await Promise.all(connected.map((socket) => once(socket as never, 'connect')))
    const [first, second] = nodes
    const [near, far] = connected
    if (!first || !second || !near || !far) throw new Error('two servers are needed')
    const heard: unknown[] = []
    near.on('lamp', (_value: unknown, answer?: (text: string) => void) => answer?.('near'))
    far.on('lamp', (value: unknown, answer?: (text: string) => void) => {
      heard.push(value)
      answer?.('seen')
    })
    // The servers' change streams open at different times, and each learns of the other by its heartbeat.
    await expect.poll(() => first.io.of('/').adapter.serverCount()).toBe(2)
    await until('the far server hears', () => {
      if (heard.length === 0) first.io.to('home').emit('lamp', { on: true })
      return heard.length > 0
    })
    expect(heard[0]).toEqual({ on: true })
    const answers: unknown[] = await first.io.timeout(60_000).emitWithAck('lamp', 'ack')
    expect(new Set(answers)).toEqual(new Set(['near', 'seen']))
    expect(await first.io.fetchSockets()).toHaveLength(2)
  })
})
