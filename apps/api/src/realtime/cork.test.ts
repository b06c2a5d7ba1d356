import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Server } from 'socket.io'
import { io as connect } from 'socket.io-client'
import { expect, test, vi } from 'vitest'
import { corkFrames } from './cork.ts'

/** Sends a screen updates of twenty boards in one turn; returns what it received, and in how many writes. */
async function tellOfTwenty(options: { gathered: boolean }): Promise<{ heard: number[]; writes: number }> {
  const http = createServer()
  const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false })
  if (options.gathered) corkFrames(io)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const screen = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
  const arrived = new Promise<Parameters<Parameters<typeof io.on<'connection'>>[1]>[0]>((resolve) => {
    io.on('connection', resolve)
  })
  try {
    const heard: number[] = []
    const all = new Promise((resolve) => {
      screen.on('told', (board: number) => {
        if (heard.push(board) === 20) resolve(heard)
      })
    })
    const socket = await arrived
    await new Promise((resolve) => screen.emit('ready', resolve) && socket.on('ready', (ready: () => void) => ready()))
    const raw = socket.request.socket as Socket & Required<Pick<Socket, '_write' | '_writev'>>
    const spies = [vi.spyOn(raw, '_write'), vi.spyOn(raw, '_writev')]
    for (let board = 0; board < 20; board += 1) socket.emit('told', board)
    await all
    return { heard, writes: spies.reduce((sum, { mock }) => sum + mock.calls.length, 0) }
  } finally {
    screen.close()
    await io.close()
  }
}

test('updates of one turn leave in a write or two, complete and in order', async () => {
  const { heard, writes } = await tellOfTwenty({ gathered: true })
  expect(heard).toEqual(Array.from({ length: 20 }, (_, board) => board))
  expect(writes).toBeLessThanOrEqual(2)
  expect((await tellOfTwenty({ gathered: false })).writes).toBeGreaterThan(2)
})
