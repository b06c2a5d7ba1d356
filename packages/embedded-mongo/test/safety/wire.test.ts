import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { MongoClient } from 'mongodb'
import { serialize } from 'bson'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine, type Engine } from '../../src/engine.ts'
import { startServer, type RunningServer } from '../../src/server.ts'
import { until } from '@batti/kit/testing'
import { errorOf } from '../conformance/battery.ts'

describe('a server that receives malformed messages', () => {
  let folder: string
  let engine: Engine
  let server: RunningServer
  let client: MongoClient
  const port = (): number => server.port ?? 0

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'batti-wire-'))
    engine = openEngine({ path: join(folder, 'batti.db') })
    server = await startServer({ engine, listen: { port: 0 } })
    client = await MongoClient.connect(server.uri)
  })
  afterAll(async () => {
    await client?.close()
    await server?.close()
    engine?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (): Promise<Socket> => {
    const socket = connect(port(), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const message = (body: Buffer, opcode = 2013, length = body.length + 16): Buffer => {
    const header = Buffer.alloc(16)
    header.writeInt32LE(length, 0)
    header.writeInt32LE(1, 4)
    header.writeInt32LE(opcode, 12)
    return Buffer.concat([header, body])
  }
  const opMsg = (command: object): Buffer => message(Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), serialize(command)]))
  const isAlive = async (): Promise<void> => {
    expect(await client.db('x').command({ ping: 1 })).toMatchObject({ ok: 1 })
  }
  const mustClose = async (bytes: Buffer): Promise<void> => {
    const socket = await open()
    const closed = once(socket, 'close')
    socket.write(bytes)
    await closed
    await isAlive()
  }

  it('closes that connection and no other', async () => {
    await mustClose(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
    await mustClose(message(Buffer.alloc(10), 9999))
    await mustClose(message(Buffer.alloc(4), 2013, 2_000_000_000))
    await mustClose(message(Buffer.alloc(4), 2013, -1))
    await mustClose(message(Buffer.alloc(4), 2013, 3))
    // A body that claims to extend beyond the message.
    await mustClose(message(Buffer.from([0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0])))
    // Unknown required flags.
    await mustClose(message(Buffer.concat([Buffer.from([0x80, 0, 0, 0, 0]), serialize({ ping: 1, $db: 'x' })])))
  })

  it('waits for the rest of a cut message, and reads bytes that arrive one by one', async () => {
    const socket = await open()
    const bytes = opMsg({ ping: 1, $db: 'x' })
    const answer = once(socket, 'data')
    for (const byte of bytes) socket.write(Buffer.from([byte]))
    const [reply] = (await answer) as [Buffer]
    expect(reply.readInt32LE(12)).toBe(2013)
    socket.write(bytes.subarray(0, 20))
    await isAlive()
    socket.destroy()
  })

  it('survives random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.boolean(), async (noise, framed) => {
        const socket = await open()
        const closed = once(socket, 'close')
        socket.end(framed ? message(Buffer.from(noise)) : Buffer.from(noise))
        await closed
      }),
      { numRuns: 150 }
    )
    await isAlive()
  })

  it('survives valid commands with damaged contents', async () => {
    const whole = opMsg({ find: 'x', filter: { a: { $in: [1, 'b', { c: null }] } }, sort: { a: 1 }, $db: 'x' })
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 17 }), fc.nat({ max: 255 }), async (at, byte) => {
        const broken = Buffer.from(whole)
        broken[16 + at] = byte
        const socket = await open()
        const ended = Promise.race([once(socket, 'close'), once(socket, 'data')])
        // Closed, because a damaged flag may ask for no answer at all.
        socket.end(broken)
        await ended
        socket.destroy()
      }),
      { numRuns: 150, examples: [[0, 2]] }
    )
    await isAlive()
  })

  it('refuses nesting that would overflow the stack with an error, and keeps the connection', async () => {
    let deep: object = { a: 1 }
    for (let i = 0; i < 300; i++) deep = { a: deep }
    const connection = await MongoClient.connect(server.uri, { maxPoolSize: 1 })
    try {
      let closed = 0
      connection.on('connectionClosed', () => closed++)
      const things = connection.db('x').collection('nested')
      for (const asked of [() => things.insertOne({ deep }), () => things.findOne(deep)]) {
        expect(await errorOf(asked())).toMatchObject({
          code: 15,
          message: expect.stringContaining('nested object depth')
        })
      }
      await things.insertOne({ deep }, { writeConcern: { w: 0 } })
      expect(await things.countDocuments()).toBe(0)
      expect(closed).toBe(0)
    } finally {
      await connection.close()
    }
    await isAlive()
  })

  it('refuses server-side JavaScript', async () => {
    const things = client.db('x').collection('things')
    await things.insertOne({ a: 1 })
    expect(await errorOf(things.find({ $where: 'true' }).toArray())).toMatchObject({ code: 115 })
    expect(
      await errorOf(
        things.aggregate([{ $project: { a: { $function: { body: 'x', args: [], lang: 'js' } } } }]).toArray()
      )
    ).toMatchObject({ code: 115 })
    expect(await errorOf(things.aggregate([{ $group: { _id: 1, a: { $accumulator: {} } } }]).toArray())).toMatchObject({
      code: 115
    })
    expect(await errorOf(client.db('x').command({ mapReduce: 'things' }))).toMatchObject({ code: 115 })
  })

  it('bounds the number of abandoned cursors', async () => {
    const things = client.db('x').collection('many')
    await things.insertMany(Array.from({ length: 10 }, (_, n) => ({ n })))
    let refused: unknown
    for (let i = 0; i < 2100 && !refused; i++) {
      refused = await client
        .db('x')
        .command({ find: 'many', batchSize: 1 })
        .then(
          () => undefined,
          (error: unknown) => error
        )
    }
    expect(engine.cursors.count()).toBeLessThanOrEqual(2000)
    expect([undefined, 146]).toContain((refused as { code?: number } | undefined)?.code)
    await isAlive()
    engine.cursors.closeWhere(() => true)
  })

  it('closes the cursors of a connection that ends without having had a session', async () => {
    const before = engine.cursors.count()
    await client
      .db('x')
      .collection('left')
      .insertMany(Array.from({ length: 10 }, (_, n) => ({ n })))
    const socket = await open()
    socket.write(opMsg({ find: 'left', batchSize: 1, $db: 'x' }))
    await once(socket, 'data')
    expect(engine.cursors.count()).toBe(before + 1)
    socket.destroy()
    await until('the cursor is gone', () => engine.cursors.count() === before)
  })

  it('bounds the number of open transactions', async () => {
    const sessions = Array.from({ length: 101 }, () => client.startSession())
    const results = []
    for (const session of sessions) {
      session.startTransaction()
      results.push(
        await client
          .db('x')
          .collection('t')
          .insertOne({}, { session })
          .then(
            () => 'ok',
            (error: { code?: number }) => error.code
          )
      )
    }
    expect(results.filter((result) => result === 'ok')).toHaveLength(100)
    expect(results.at(-1)).toBe(261)
    for (const session of sessions) await session.endSession()
    await until('no transaction is open', () => engine.sessions.openTransactions() === 0)
  })
})
