import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { io as connect } from 'socket.io-client'
import { expect, test } from 'vitest'
import { FramesInTurn } from './frames-in-turn.ts'

test('a thousand events that arrive together are handled one a turn of the event loop', async () => {
  const http = createServer()
  const server = new Server(http, { transports: ['websocket'], wsEngine: FramesInTurn })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  let turn = 0
  let counting = setImmediate(function count() {
    turn += 1
    counting = setImmediate(count)
  })
  const turns: number[] = []
  const all = Promise.withResolvers<void>()
  server.on('connection', (socket) =>
    socket.on('tap', () => {
      if (turns.push(turn) === 1000) all.resolve()
    })
  )
  const { port } = http.address() as AddressInfo
  const client = connect(`http://127.0.0.1:${port}`, { transports: ['websocket'] })
  try {
    for (let event = 0; event < 1000; event += 1) client.emit('tap')
    await all.promise
    expect(new Set(turns).size).toBe(1000)
  } finally {
    clearImmediate(counting)
    client.disconnect()
    await server.close()
  }
})
