import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forwardOldPorts, readKnownPorts, writeKnownPorts } from './port-memory.ts'
import { freePort, requirePort } from './ports.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batti-ports-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function echoServer() {
  const server = createServer((socket) => socket.pipe(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

describe('ports of earlier starts', () => {
  it('lead boards that learnt them to where the broker is now', async () => {
    const broker = await echoServer()
    const old = await freePort()
    const forwards = await forwardOldPorts({ wall: null, mqtt: [old, broker.port] }, broker.port)
    const board = connect(old, '127.0.0.1')
    board.write('hello')
    const [answer] = (await once(board, 'data')) as [Buffer]
    expect(answer.toString()).toBe('hello')
    forwards.close()
    await once(board, 'close')
    broker.close()
  })

  it('are named when another program has them', async () => {
    const [broker, stranger] = [await echoServer(), await echoServer()]
    const forwards = await forwardOldPorts({ wall: null, mqtt: [stranger.port] }, broker.port)
    expect(forwards.lost).toEqual([stranger.port])
    forwards.close()
    broker.close()
    stranger.close()
  })

  it('are remembered, the newest first, each once', () => {
    expect(readKnownPorts(folder)).toEqual({ wall: null, mqtt: [] })
    for (const mqtt of [1001, 1002, 1001, 1003]) writeKnownPorts(folder, readKnownPorts(folder), { wall: 7, mqtt })
    expect(readKnownPorts(folder)).toEqual({ wall: 7, mqtt: [1003, 1001, 1002] })
  })
})

describe('a port that is wanted', () => {
  it('is refused in one sentence when another program has it', async () => {
    const stranger = await echoServer()
    await expect(requirePort('127.0.0.1', stranger.port, '--port')).rejects.toThrow(
      `Port ${stranger.port} is in use by another program: stop that, or choose another port with --port.`
    )
    stranger.close()
  })
})
