/** A packet that no honest client sends; the connection must end. */
export class PacketFault extends Error {}

/** A CONNECT with an unknown protocol level: the only fault that MQTT 3.1.1 defines an answer for (§3.1.2.2). */
export class UnknownProtocolLevel extends PacketFault {}

const connect = 1
const publish = 3
const subscribe = 8
const unsubscribe = 10

/** Levels that the parser accepts, so that the CONNECT rules can refuse them with a CONNACK: 3.1, 3.1.1, 5. */
const readLevels = new Set([3, 4, 5])
const bridgeBit = 0x80

/** The topics of one SUBSCRIBE or UNSUBSCRIBE. Each costs as much as a packet, but the rate limit counts packets. */
const topicsMax = 32

/**
 * Finds faults that MQTT 3.1.1 forbids but the parser accepts: packet id 0 (§2.3.1), and SUBSCRIBE or UNSUBSCRIBE without a
 * topic (§3.8.3, §3.10.3). Also finds one with too many topics, and a CONNECT of an unknown protocol level, which aedes would
 * close without a CONNACK. `bytes` holds the whole packet from `start` to `end`.
 */
export function findPacketFault(bytes: Buffer, start: number, end: number): PacketFault | null {
  const header = bytes[start] ?? 0
  const kind = header >> 4
  const isPublishWithId = kind === publish && (header & 0b110) !== 0
  if (!isPublishWithId && kind !== subscribe && kind !== unsubscribe && kind !== connect) return null
  let body = start + 2
  while (((bytes[body - 1] ?? 0) & 128) !== 0) body += 1
  const first = uint16(bytes, body, end)
  if (isPublishWithId) return uint16(bytes, body + 2 + first, end) === 0 ? idZero() : null
  if (kind === connect) {
    const level = bytes[body + 2 + first]
    const isRead = level === undefined || readLevels.has(level & ~bridgeBit)
    return isRead ? null : new UnknownProtocolLevel(`protocol level ${level}`)
  }
  if (first === 0) return idZero()
  if (end - body <= 2) return new PacketFault('a subscription without a topic')
  const besideTopic = kind === subscribe ? 3 : 2
  let topics = 0
  for (let at = body + 2; at < end; at += besideTopic + uint16(bytes, at, end)) topics += 1
  return topics > topicsMax ? new PacketFault(`more than ${topicsMax} topics`) : null
}

const idZero = (): PacketFault => new PacketFault('packet id 0')

/** Reads a 16-bit number, or 0 when the packet is too short. */
const uint16 = (bytes: Buffer, at: number, end: number): number => (at + 2 <= end ? bytes.readUInt16BE(at) : 0)
