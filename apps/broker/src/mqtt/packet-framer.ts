import { findPacketFault, PacketFault } from './packet-faults.ts'

/**
 * Splits a byte stream into whole MQTT packets before aedes sees it. aedes has no packet limit: it buffers any announced
 * length, and a packet that arrives byte by byte costs it one Buffer object per byte. The framer collects a fragmented
 * packet in one buffer of its announced length, which is limited. Whole packets pass without a copy.
 */
export class PacketFramer {
  readonly #maxBytes: number
  #gathering: Buffer | null = null
  #gathered = 0
  #header: Buffer | null = null

  /** `maxBytes` limits the whole packet, its header included. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Passes at most `budget` whole packets to `onWhole(bytes, packets)`, adjacent packets in one call. Returns the bytes left
   * when the budget was spent, or null. Throws `PacketFault` for a faulty packet, after passing on the packets before it.
   */
  take(chunk: Buffer, budget: number, onWhole: (bytes: Buffer, packets: number) => void): Buffer | null {
    let at = 0
    let left = budget
    if (this.#gathering !== null) {
      at = chunk.copy(this.#gathering, this.#gathered)
      this.#gathered += at
      if (this.#gathered < this.#gathering.length) return null
      const whole = this.#gathering
      this.#gathering = null
      left -= 1
      const fault = findPacketFault(whole, 0, whole.length)
      if (fault !== null) throw fault
      onWhole(whole, 1)
    } else if (this.#header !== null) {
      chunk = Buffer.concat([this.#header, chunk])
      this.#header = null
    }
    const start = at
    let packets = 0
    let length = 0
    let fault: PacketFault | null = null
    while (at < chunk.length && packets < left) {
      length = packetLength(chunk, at, this.#maxBytes)
      if (length <= 0 || at + length > chunk.length) break
      fault = findPacketFault(chunk, at, at + length)
      if (fault !== null) break
      at += length
      packets += 1
    }
    if (packets > 0) onWhole(chunk.subarray(start, at), packets)
    if (fault !== null) throw fault
    if (at === chunk.length) return null
    if (packets >= left) return chunk.subarray(at)
    if (length === malformed) throw new PacketFault(`packet over ${this.#maxBytes} bytes or malformed`)
    if (length === unknown) this.#header = Buffer.from(chunk.subarray(at))
    else {
      this.#gathering = Buffer.allocUnsafeSlow(length)
      this.#gathered = chunk.copy(this.#gathering, 0, at)
    }
    return null
  }
}

const unknown = 0
const malformed = -1

/** Returns the length of the packet at `at` with its header, or `unknown` while the header is incomplete. MQTT 3.1.1 §2.2.3. */
function packetLength(chunk: Buffer, at: number, maxBytes: number): number {
  let remaining = 0
  for (let index = 0; index < 4; index += 1) {
    const byte = chunk[at + 1 + index]
    if (byte === undefined) return unknown
    remaining += (byte & 127) * 128 ** index
    const length = 2 + index + remaining
    if (length > maxBytes) return malformed
    if (byte < 128) return length
  }
  return malformed
}
