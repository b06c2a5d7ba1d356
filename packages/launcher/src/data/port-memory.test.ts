import { testFolder } from '@batti/kit/node/testing'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { chooseMqttPort, forwardOldPorts, readKnownPorts, whoseBoards, writeKnownPorts } from './port-memory.ts'
import { freePort, requirePort } from '../ports.ts'

let folder: string
beforeEach(() => {
  folder = testFolder('ports')
})

async function echoServer() {
  const server = createServer((socket) => socket.pipe(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

describe('ports of earlier starts', () => {
  it("lead boards that know them to the broker's current port", async () => {
    const broker = await echoServer()
    const old = await freePort()
    const forwards = await forwardOldPorts({ wall: null, mqtt: [old, broker.port], origin: null }, broker.port)
    const board = connect(old, '127.0.0.1')
    board.write('hello')
    const [answer] = (await once(board, 'data')) as [Buffer]
    expect(answer.toString()).toBe('hello')
    forwards.close()
    await once(board, 'close')
    broker.close()
  })

  it('are reported when another program uses them', async () => {
    const [broker, stranger] = [await echoServer(), await echoServer()]
    const forwards = await forwardOldPorts({ wall: null, mqtt: [stranger.port], origin: null }, broker.port)
    expect(forwards.lost).toEqual([stranger.port])
    forwards.close()
    broker.close()
    stranger.close()
  })

  it('are none if their file is damaged', () => {
    const damaged = { wall: 99_999_999, mqtt: [-5, 65_536, 0.5, 8883, 'x'], folder }
    writeFileSync(join(folder, 'ports.json'), JSON.stringify(damaged))
    expect(readKnownPorts(folder)).toEqual({ wall: null, mqtt: [8883], origin: null })
  })

  it('are remembered, the newest first, each once, and no more than four', () => {
    expect(readKnownPorts(folder)).toEqual({ wall: null, mqtt: [], origin: null })
    for (const mqtt of [1001, 1002, 1001, 1003]) writeKnownPorts(folder, readKnownPorts(folder), { wall: 7, mqtt })
    expect(readKnownPorts(folder)).toEqual({ wall: 7, mqtt: [1003, 1001, 1002], origin: null })
    for (const mqtt of [1004, 1005]) writeKnownPorts(folder, readKnownPorts(folder), { wall: 7, mqtt })
    expect(readKnownPorts(folder).mqtt).toEqual([1005, 1004, 1003, 1001])
  })
})

describe('a broker port that may be any', () => {
  const start = async (folderOfStart: string, httpPort = 1000): Promise<number> => {
    const known = readKnownPorts(folderOfStart)
    const mqtt = await chooseMqttPort(known, '127.0.0.1', httpPort)
    writeKnownPorts(folderOfStart, known, { wall: 7, mqtt })
    return mqtt
  }

  it('is that of the last start again, so that boards find it however often it starts', async () => {
    const first = await start(folder)
    for (let starts = 0; starts < 6; starts++) expect(await start(folder)).toBe(first)
    expect(readKnownPorts(folder).mqtt).toEqual([first])
  })

  it('is another one where that is taken, by a program or by the app', async () => {
    const stranger = await echoServer()
    writeKnownPorts(folder, readKnownPorts(folder), { wall: 7, mqtt: stranger.port })
    const other = await start(folder)
    expect(other).not.toBe(stranger.port)
    stranger.close()
    expect(await start(folder, other)).not.toBe(other)
  })

  it('is never that of the home that a folder is a copy of', async () => {
    const [original, copy] = ['original', 'copy'].map((name) => join(folder, name)) as [string, string]
    mkdirSync(original)
    const first = await start(original)
    cpSync(original, copy, { recursive: true })
    expect(await start(copy)).not.toBe(first)
  })
})

describe('ports of a copied folder, as after a restore into another one', () => {
  it("stay the original's while it exists, and lead to the copy when it is gone", async () => {
    const [broker, old] = [await echoServer(), await freePort()]
    const [first, copy] = ['first', 'copy'].map((name) => join(folder, name)) as [string, string]
    mkdirSync(first)
    writeKnownPorts(first, readKnownPorts(first), { wall: 7, mqtt: old })
    cpSync(first, copy, { recursive: true })
    for (const start of ['first', 'second']) {
      const known = readKnownPorts(copy)
      const forwards = await forwardOldPorts(known, broker.port)
      expect(await requirePort('127.0.0.1', old, '--mqtt-port'), start).toBe(old)
      forwards.close()
      writeKnownPorts(copy, known, { wall: 8, mqtt: broker.port })
    }
    rmSync(first, { recursive: true })
    const forwards = await forwardOldPorts(readKnownPorts(copy), broker.port)
    await expect(requirePort('127.0.0.1', old, '--mqtt-port')).rejects.toThrow('is in use')
    forwards.close()
    broker.close()
  })

  it('lead the copy’s boards to the original’s broker, unless the copy’s broker has the only port', () => {
    const [first, copy] = ['first', 'copy'].map((name) => join(folder, name)) as [string, string]
    mkdirSync(first)
    writeKnownPorts(first, readKnownPorts(first), { wall: 7, mqtt: 1001 })
    expect(whoseBoards(readKnownPorts(first), 1002)).toBeNull()
    cpSync(first, copy, { recursive: true })
    expect(whoseBoards(readKnownPorts(copy), 1002)).toBe(first)
    expect(whoseBoards(readKnownPorts(copy), 1001)).toBeNull()
    writeKnownPorts(first, readKnownPorts(first), { wall: 7, mqtt: 1003 })
    expect(whoseBoards(readKnownPorts(copy), 1001)).toBe(first)
    rmSync(first, { recursive: true })
    expect(whoseBoards(readKnownPorts(copy), 1002)).toBeNull()
  })

  it('let the copy’s wall use another address', () => {
    const [first, copy] = ['first', 'copy'].map((name) => join(folder, name)) as [string, string]
    mkdirSync(first)
    writeKnownPorts(first, readKnownPorts(first), { wall: 7, mqtt: 1001 })
    cpSync(first, copy, { recursive: true })
    expect(readKnownPorts(copy).wall).toBeNull()
    writeKnownPorts(copy, readKnownPorts(copy), { wall: 8, mqtt: 1002 })
    expect(readKnownPorts(copy).wall).toBe(8)
  })
})

describe('a requested port', () => {
  it('is refused in one sentence when another program uses it', async () => {
    const stranger = await echoServer()
    await expect(requirePort('127.0.0.1', stranger.port, '--port')).rejects.toThrow(
      `Port ${stranger.port} is in use by another program: stop that, or choose another port with --port.`
    )
    stranger.close()
  })

  it('is not called in use on a machine that lacks its address', async () => {
    // Reserved for documentation (RFC 5737): no machine has it.
    await expect(requirePort('192.0.2.1', await freePort(), '--port')).rejects.toThrow(
      /^Port \d+ cannot be opened: this machine has no address 192\.0\.2\.1\.$/
    )
  })
})
