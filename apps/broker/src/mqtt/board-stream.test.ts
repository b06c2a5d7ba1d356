import { once } from 'node:events'
import { Duplex, duplexPair } from 'node:stream'
import { generate } from 'mqtt-packet'
import { describe, expect, it, vi } from 'vitest'
import { BoardStream, type BoardStreamOptions } from './board-stream.ts'

const ping = generate({ cmd: 'pingreq' })

/** The two ends of an in-memory connection, and what aedes would have received. */
function setUp(changes: Partial<BoardStreamOptions> = {}) {
  const [far, near] = duplexPair()
  const counted: number[] = []
  const stream = new BoardStream(near, {
    maxPacketBytes: 16 * 1024,
    drainTimeoutMs: 600_000,
    maxBacklogBytes: 1024 * 1024,
    budget: null,
    onPackets: (packets) => counted.push(packets),
    ...changes
  })
  let heard = Buffer.alloc(0)
  const errors: string[] = []
  stream.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk])
  })
  stream.on('error', (error) => errors.push(error.message))
  far.on('error', () => {})
  return { far, near, stream, counted, errors, heard: () => heard }
}

function packetsEachMs(count: number): NonNullable<BoardStreamOptions['budget']> {
  let tokens = count
  return {
    available: () => tokens,
    spend: (packets) => (tokens -= packets),
    msUntilNext: () => {
      tokens = count
      return 1
    }
  }
}

describe('the stream between socket and aedes', () => {
  it('passes packets in, and bytes out unchanged', async () => {
    const { far, stream, heard, counted } = setUp()
    far.write(Buffer.concat([ping, ping, ping.subarray(0, 1)]))
    await expect.poll(heard).toEqual(Buffer.concat([ping, ping]))
    far.write(ping.subarray(1))
    await expect.poll(() => heard().length).toBe(6)
    expect(counted.reduce((sum, packets) => sum + packets, 0)).toBe(3)
    let out = ''
    far.on('data', (chunk: Buffer) => (out += chunk.toString()))
    stream.cork()
    stream.write('a')
    stream.write('b')
    stream.uncork()
    stream.write('c')
    await expect.poll(() => out).toBe('abc')
  })

  it('ends with an error at a packet that is too long, and closes the socket', async () => {
    const { far, near, errors } = setUp()
    far.write(Buffer.from([0x30, 0xff, 0xff, 0x7f]))
    await expect.poll(() => errors).toEqual([expect.stringContaining('malformed')])
    expect(near.destroyed).toBe(true)
  })

  it('passes on everything that came before the end, also what had to wait for its budget', async () => {
    const { far, stream, heard } = setUp({ budget: packetsEachMs(1) })
    const ended = new Promise((resolve) => stream.on('end', resolve))
    far.end(Buffer.concat([ping, ping, ping, ping]))
    await ended
    expect(heard().length).toBe(8)
  })

  it('resumes reading only when waiting packets were passed on', async () => {
    const { far, heard } = setUp({ budget: packetsEachMs(1) })
    const sent = Array.from({ length: 12 }, (_, index) =>
      generate({ cmd: 'publish', topic: 't', payload: `${index}`, qos: 0, dup: false, retain: false })
    )
    for (const packet of sent) {
      far.write(Buffer.concat([packet, packet]))
      await new Promise(setImmediate)
    }
    await expect.poll(heard).toEqual(Buffer.concat(sent.flatMap((packet) => [packet, packet])))
  })

  it('never makes aedes wait for a slow reader, and drops that reader itself', async () => {
    const { stream, errors } = setUp({ drainTimeoutMs: 20 })
    for (let index = 0; index < 300; index += 1) {
      await new Promise((resolve) => stream.write(Buffer.alloc(1000), resolve))
    }
    await expect.poll(() => errors).toEqual(['reader too slow: drain timeout'])
  })

  it('keeps a reader that drains in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { far, near, stream, errors } = setUp({ drainTimeoutMs: 300 })
      stream.write(Buffer.alloc(100_000))
      expect(vi.getTimerCount()).toBe(1)
      far.resume()
      await once(near, 'drain')
      vi.advanceTimersByTime(1000)
      expect([errors, stream.destroyed]).toEqual([[], false])
    } finally {
      vi.useRealTimers()
    }
  })

  it('sends a last packet whole when it ends, reads nothing after it, and closes if the peer does not', async () => {
    const { far, near, stream, heard, counted, errors } = setUp()
    stream.hangUp(Buffer.from('bye'))
    expect([stream.destroyed, near.destroyed]).toEqual([true, false])
    far.write(ping)
    let out = ''
    far.on('data', (chunk: Buffer) => (out += chunk.toString()))
    await expect.poll(() => out).toBe('bye')
    await expect.poll(() => near.destroyed).toBe(true)
    expect([heard().length, counted, errors]).toEqual([0, [], []])
    stream.hangUp(Buffer.from('again'))
    expect(out).toBe('bye')
  })

  it('closes as soon as the peer has read the last packet and ends, though its input was held back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { far, near, stream } = setUp({ budget: packetsEachMs(1) })
      far.resume()
      far.write(Buffer.concat([ping, ping]))
      while (!near.isPaused()) await new Promise(setImmediate)
      stream.hangUp(Buffer.from('bye'))
      const closed = once(near, 'close')
      far.end()
      await closed
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('answers an unknown protocol level until it is authenticated, and never after that', async () => {
    const connect = generate({ cmd: 'connect', clientId: 'dev', protocolVersion: 4, protocolId: 'MQTT' })
    connect[8] = 9
    for (const [session, answer, faults] of [
      [null, [0x20, 0x02, 0x00, 0x01], []],
      [{} as NonNullable<BoardStream['session']>, [], ['protocol level 9']]
    ] as const) {
      const { far, near, stream, errors } = setUp()
      stream.session = session
      const out: number[] = []
      far.on('data', (chunk: Buffer) => out.push(...chunk))
      far.write(connect)
      await expect.poll(() => near.destroyed).toBe(true)
      expect([out, errors]).toEqual([answer, faults])
    }
  })

  it('holds back the sender while aedes does not read, with a budget or without', async () => {
    for (const budget of [null, packetsEachMs(100)]) {
      const { far, near, stream, heard } = setUp({ maxPacketBytes: 1024, budget })
      stream.pause()
      const sent = Buffer.concat(Array.from({ length: 4000 }, () => ping))
      const written = new Promise((resolve) => far.write(sent.subarray(0, 4000), resolve))
      await expect.poll(() => stream.readableLength).toBeGreaterThanOrEqual(1024)
      await expect.poll(() => near.isPaused()).toBe(true)
      far.write(sent.subarray(4000))
      stream.resume()
      await written
      await expect.poll(() => heard().length).toBe(8000)
    }
  })

  it('holds it back too after it has passed on what waited for the budget', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { far, stream, heard } = setUp({ maxPacketBytes: 1024, budget: packetsEachMs(60) })
      const passTime = async (): Promise<void> => {
        for (let ms = 0; ms < 200; ms += 1) {
          await new Promise(setImmediate)
          vi.advanceTimersByTime(1)
        }
      }
      stream.pause()
      for (let index = 0; index < 40; index += 1) far.write(Buffer.concat(Array.from({ length: 100 }, () => ping)))
      await passTime()
      expect(stream.readableLength).toBeLessThan(2048)
      stream.resume()
      await passTime()
      expect(heard().length).toBe(8000)
    } finally {
      vi.useRealTimers()
    }
  })

  it('reads on when all that waited for the budget was a part of a packet', async () => {
    const { far, heard } = setUp({ budget: packetsEachMs(1) })
    far.write(Buffer.concat([ping, ping.subarray(0, 1)]))
    await expect.poll(() => heard().length).toBe(2)
    far.write(ping.subarray(1))
    await expect.poll(() => heard().length).toBe(4)
  })

  it('leaves no timer behind, and watches a reader again that was slow before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { far, near, stream } = setUp({ budget: packetsEachMs(1) })
      for (let round = 0; round < 2; round += 1) {
        far.pause()
        for (let index = 0; index < 3; index += 1) stream.write(Buffer.alloc(100_000))
        expect(vi.getTimerCount()).toBe(1)
        const drained = once(near, 'drain')
        far.resume()
        await drained
        expect(vi.getTimerCount()).toBe(0)
      }
      far.pause()
      stream.write(Buffer.alloc(100_000))
      far.write(Buffer.concat([ping, ping]))
      while (vi.getTimerCount() < 2) await new Promise(setImmediate)
      stream.destroy()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends the socket when aedes ends it', async () => {
    const { far, stream } = setUp()
    let out = ''
    far.on('data', (chunk: Buffer) => (out += chunk.toString()))
    const ended = once(far, 'end')
    stream.end('bye')
    await ended
    expect(out).toBe('bye')
  })

  it('ends with the error of the socket', async () => {
    const { near, errors } = setUp()
    near.destroy(new Error('reset'))
    await expect.poll(() => errors).toEqual(['reset'])
  })

  it('closes when the socket closes, and the socket when it closes', async () => {
    const one = setUp()
    one.near.destroy()
    await expect.poll(() => one.stream.destroyed).toBe(true)
    const other = setUp()
    other.stream.destroy()
    expect(other.near.destroyed).toBe(true)
    expect(other.near).toBeInstanceOf(Duplex)
  })
})
