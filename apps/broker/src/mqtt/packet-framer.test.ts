import fc from 'fast-check'
import { generate } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { PacketFault } from './packet-faults.ts'
import { PacketFramer } from './packet-framer.ts'

const limit = 16 * 1024
const publish = (bytes: number) =>
  generate({
    cmd: 'publish',
    topic: 'd/x/up/status',
    payload: Buffer.alloc(bytes, 1),
    qos: 0,
    retain: false,
    dup: false
  })
const ping = generate({ cmd: 'pingreq' })

function collect(framer: PacketFramer, chunk: Buffer, budget = Infinity) {
  const whole: Buffer[] = []
  let packets = 0
  const rest = framer.take(chunk, budget, (bytes, count) => {
    whole.push(Buffer.from(bytes))
    packets += count
  })
  return { bytes: Buffer.concat(whole), packets, rest }
}

/** Splits at the given positions. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return at.slice(1).map((to, index) => bytes.subarray(at[index], to))
}

describe('the packet framer', () => {
  it('passes on the same packets, however the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(400), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(6000), { maxLength: 40 }),
        (sizes, places) => {
          const stream = Buffer.concat(sizes.map((size) => (size === 0 ? ping : publish(size))))
          const framer = new PacketFramer(limit)
          const taken = cut(stream, places).map((chunk) => collect(framer, chunk))
          expect(Buffer.concat(taken.map(({ bytes }) => bytes)).equals(stream)).toBe(true)
          expect(taken.reduce((sum, { packets }) => sum + packets, 0)).toBe(sizes.length)
        }
      )
    )
  })

  it('passes on the same packets when each turn has its budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(300), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(3000), { maxLength: 10 }),
        (sizes, places) => {
          const stream = Buffer.concat(sizes.map((size) => publish(size)))
          const framer = new PacketFramer(limit)
          const out: Buffer[] = []
          for (const chunk of cut(stream, places)) {
            let rest: Buffer | null = chunk
            while (rest !== null && rest.length > 0) {
              const taken = collect(framer, rest, 1)
              expect(taken.packets).toBeLessThanOrEqual(1)
              out.push(taken.bytes)
              rest = taken.rest
            }
          }
          expect(Buffer.concat(out).equals(stream)).toBe(true)
        }
      )
    )
  })

  it('holds a packet until its last byte has arrived', () => {
    const framer = new PacketFramer(limit)
    const packet = publish(2000)
    expect(collect(framer, packet.subarray(0, -1)).packets).toBe(0)
    expect(collect(framer, packet.subarray(-1)).bytes.equals(packet)).toBe(true)
  })

  it('passes a packet of exactly the limit and refuses one more byte as soon as it is announced', () => {
    const framer = new PacketFramer(limit)
    // The type byte, two length bytes, the topic with its length.
    const header = 3 + 2 + 'd/x/up/status'.length
    const longest = publish(limit - header)
    expect(longest).toHaveLength(limit)
    expect(collect(framer, longest).packets).toBe(1)
    expect(() => collect(framer, publish(limit - header + 1).subarray(0, 4))).toThrow(PacketFault)
  })

  it('passes on what came before a packet that is too long', () => {
    const framer = new PacketFramer(limit)
    let packets = 0
    const huge = Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])
    expect(() => framer.take(Buffer.concat([ping, huge]), Infinity, (_bytes, count) => (packets += count))).toThrow(
      PacketFault
    )
    expect(packets).toBe(1)
  })

  it('refuses a faulty packet, whole or in parts, and passes on only those before it', () => {
    const faulty = Buffer.concat([Buffer.from([0x82, 0x02]), Buffer.from([0x00, 0x01])])
    for (const parts of [[Buffer.concat([ping, faulty, ping])], [ping, faulty.subarray(0, 3), faulty.subarray(3)]]) {
      const framer = new PacketFramer(limit)
      let packets = 0
      const takeAll = () => {
        for (const part of parts) framer.take(part, Infinity, (_bytes, count) => (packets += count))
      }
      expect(takeAll).toThrow('a subscription without a topic')
      expect(packets).toBe(1)
    }
  })

  it('finds the fault of a packet in it, not in the one behind it', () => {
    const lastTopicCut = Buffer.from([0x82, 0x04, 0x00, 0x01, 0x00, 0x01])
    const framer = new PacketFramer(limit)
    expect(collect(framer, Buffer.concat([lastTopicCut, ping])).packets).toBe(2)
    expect(() => collect(framer, Buffer.concat([Buffer.from([0x82, 0x01, 0x00]), ping]))).toThrow('packet id 0')
  })

  it('takes a length field of four bytes', () => {
    const padded = Buffer.from([0xc0, 0x80, 0x80, 0x80, 0x00])
    expect(collect(new PacketFramer(limit), padded).bytes.equals(padded)).toBe(true)
  })

  it('refuses a length field of more than four bytes', () => {
    expect(() => collect(new PacketFramer(limit), Buffer.from([0xc0, 0x80, 0x80, 0x80, 0x80, 0x00]))).toThrow(
      PacketFault
    )
    expect(() => collect(new PacketFramer(limit), Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01]))).toThrow(
      PacketFault
    )
  })

  it('returns the bytes over the budget unread', () => {
    const framer = new PacketFramer(limit)
    const { packets, rest } = collect(framer, Buffer.concat([ping, ping, ping]), 2)
    expect(packets).toBe(2)
    expect(rest?.equals(ping)).toBe(true)
  })

  it('counts a packet that came in parts once', () => {
    const framer = new PacketFramer(limit)
    const packet = publish(2000)
    collect(framer, packet.subarray(0, -1), 2)
    const { packets, rest } = collect(framer, Buffer.concat([packet.subarray(-1), ping, ping]), 2)
    expect(packets).toBe(2)
    expect(rest?.equals(ping)).toBe(true)
  })
})
