import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import net from 'node:net'
import { duplexPair } from 'node:stream'
import tls from 'node:tls'
import mqttPacket from 'mqtt-packet'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPacket, openRaw } from '../test/raw-client.ts'
import { newDeviceId, startRig, type Rig } from '../test/rig.ts'

/** Connects without TLS, and collects what arrives until the broker closes. */
async function plain(port: number, first?: Buffer): Promise<{ socket: net.Socket; closed: Promise<string> }> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
  await once(socket, 'connect')
  if (first !== undefined) socket.write(first)
  return { socket, closed: new Promise((resolve) => socket.on('close', () => resolve(heard))) }
}

describe('the TLS front', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(() => rig.stop())

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const client = await openRaw(rig.broker.mqttPort, { minVersion: version, maxVersion: version })
    expect(client.socket.getProtocol()).toBe(version)
    client.send(connectPacket({ clientId: `dev-${newDeviceId()}` }))
    expect((await client.next('connack')).returnCode).toBe(0)
    client.socket.destroy()
  })

  it.each<[string, tls.ConnectionOptions]>([
    ['TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' }],
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }],
    ['a cipher without authenticated encryption', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }],
    ['a cipher without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }]
  ])('refuses %s', async (_name, options) => {
    // The alert comes from the broker: it is not the client that refuses.
    await expect(openRaw(rig.broker.mqttPort, options)).rejects.toThrow(/alert (protocol version|handshake failure)/)
  })

  it('closes connections that speak MQTT without TLS, and answers nothing', async () => {
    const hello = mqttPacket.generate(connectPacket({ clientId: `dev-${newDeviceId()}` }))
    const { closed } = await plain(rig.broker.mqttPort, hello)
    expect(await closed).toBe('')
  })

  it('uses a renewed certificate for new connections and keeps the old ones', async () => {
    const id = newDeviceId()
    const before = await rig.board(id)
    const renewed = await rig.certificate.renew('renewed.test')
    expect(await rig.broker.renewCertificate()).toBe(true)
    const after = await openRaw(rig.broker.mqttPort, {
      ca: renewed,
      rejectUnauthorized: true,
      servername: 'renewed.test'
    })
    expect(after.socket.getPeerCertificate().subject.CN).toBe('renewed.test')
    await before.ping()
    expect(before.socket.getPeerCertificate().subject.CN).toBe('localhost')
    after.socket.destroy()
    before.socket.destroy()
  })

  it('keeps its certificate when the new one is invalid', async () => {
    await writeFile(rig.certificate.certFile, 'not a certificate')
    expect(await rig.broker.renewCertificate()).toBe(false)
    const client = await rig.open()
    client.socket.destroy()
    await rig.certificate.renew('localhost')
  })
})

/** The first flight of a real TLS client, whose connection then stalls. */
async function clientHello(): Promise<Buffer> {
  const [wire, socket] = duplexPair()
  const client = tls.connect({ socket })
  client.on('error', () => {})
  const [hello] = (await once(wire, 'data')) as [Buffer]
  client.destroy()
  return hello
}

describe('a certificate that was replaced on the disk', () => {
  it('is loaded without a signal', async () => {
    const rig = await startRig({ limits: { certificateLookMs: 50 } })
    const ca = await rig.certificate.renew('renewed.test')
    await expect
      .poll(async () => {
        const client = await openRaw(rig.broker.mqttPort, { ca })
        const name = client.socket.getPeerCertificate().subject.CN
        client.socket.destroy()
        return name
      })
      .toBe('renewed.test')
    await rig.stop()
  })
})

describe('a TLS handshake that stalls', () => {
  it('is ended by its own time-out; Node only reports it', async () => {
    const rig = await startRig({ limits: { handshakeTimeoutMs: 200, pendingTimeMs: 600_000 } })
    const hello = await clientHello()
    // The time can be over before the hello is read. Then it ends without the server's part of the handshake.
    await expect.poll(async () => (await plain(rig.broker.mqttPort, hello)).closed).not.toBe('')
    await rig.stop()
  })

  it.each([
    ['in the middle of their hello, without ever taking a turn', 100, 600_000],
    ['after it, when their turn is over', Infinity, 5]
  ])('delays nobody: a board connects while 60 handshakes stall %s', async (_when, bytes, handshakeHoldMs) => {
    const rig = await startRig({ limits: { pendingPerAddress: 200, handshakeHoldMs } })
    const hello = (await clientHello()).subarray(0, bytes)
    const stalled = await Promise.all(Array.from({ length: 60 }, () => plain(rig.broker.mqttPort, hello)))
    const board = await rig.board(newDeviceId())
    expect(board.isOpen()).toBe(true)
    for (const { socket } of stalled) socket.destroy()
    await rig.stop()
  })

  it('may send its hello in pieces', async () => {
    const rig = await startRig()
    const hello = await clientHello()
    const { socket, closed } = await plain(rig.broker.mqttPort)
    const answer = once(socket, 'data')
    for (const at of [0, 1, 4, 5, 60]) socket.write(hello.subarray(at, { 0: 1, 1: 4, 4: 5, 5: 60 }[at] ?? hello.length))
    const [bytes] = (await answer) as [Buffer]
    expect(bytes[0]).toBe(0x16)
    socket.destroy()
    await closed
    await rig.stop()
  })
})

describe('idle connections', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig({ limits: { pendingTimeMs: 300, handshakeTimeoutMs: 300 } })
  })
  afterAll(() => rig.stop())
  /** Repeats what may take a slow machine longer than the broker waits for it. */
  const inTime = <Client>(connect: () => Promise<Client>) =>
    until('it is connected in time', () => connect().catch(() => null))

  it('are closed without TLS, in a stalled handshake, and without a CONNECT', async () => {
    const silent = await plain(rig.broker.mqttPort)
    const stalled = await plain(rig.broker.mqttPort, Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]))
    const secure = await inTime(rig.open)
    expect(await Promise.all([silent.closed, stalled.closed, secure.closed])).toEqual(['', '', []])
  })

  it('are closed when their CONNECT arrives byte by byte', async () => {
    const client = await inTime(rig.open)
    const bytes = mqttPacket.generate(connectPacket({ clientId: `dev-${newDeviceId()}` }))
    let at = 0
    const drip = setInterval(() => {
      client.send(bytes.subarray(at, (at += 1)))
    }, 40)
    expect(await client.closed).toEqual([])
    clearInterval(drip)
    expect(at).toBeLessThan(bytes.length)
  })

  it('of an authenticated board are not closed', async () => {
    const early = await inTime(() => rig.board(newDeviceId()))
    const late = await inTime(rig.open)
    await late.closed
    await early.ping()
    expect(early.isOpen()).toBe(true)
    early.socket.destroy()
  })
})

describe('many connections from one address', () => {
  it('replace each other, oldest silent first, and never cost a board its connection', async () => {
    const rig = await startRig({ limits: { pendingPerAddress: 8 } })
    const board = await rig.board(newDeviceId())
    const silent: Awaited<ReturnType<typeof plain>>[] = []
    for (let index = 0; index < 9; index += 1) silent.push(await plain(rig.broker.mqttPort))
    await silent[0]?.closed
    const next = await rig.board(newDeviceId())
    await silent[1]?.closed
    expect(silent[8]?.socket.destroyed).toBe(false)
    for (const client of [board, next]) {
      await client.ping()
    }
    for (const { socket } of silent) socket.destroy()
    await rig.stop()
  })

  it('are not counted once they authenticated: 40 boards share an address with a limit of 8 pending ones', async () => {
    const rig = await startRig({ limits: { pendingPerAddress: 8 } })
    const boards = []
    for (let index = 0; index < 40; index += 1) boards.push(await rig.board(newDeviceId()))
    expect(boards.every((board) => board.isOpen())).toBe(true)
    await rig.stop()
  })
})
