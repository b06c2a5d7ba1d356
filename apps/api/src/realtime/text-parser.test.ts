import fc from 'fast-check'
import { Encoder, PacketType } from 'socket.io-parser'
import { expect, test } from 'vitest'
import { textParser } from './text-parser.ts'

const packet = fc.record(
  {
    type: fc.constantFrom(
      PacketType.CONNECT,
      PacketType.DISCONNECT,
      PacketType.EVENT,
      PacketType.ACK,
      PacketType.CONNECT_ERROR
    ),
    nsp: fc.constantFrom('/', '/staff'),
    id: fc.nat(),
    data: fc.array(fc.jsonValue({ maxDepth: 3 }))
  },
  { requiredKeys: ['type', 'nsp'] }
)

test("packets are written as the library's encoder writes them", () => {
  const [ours, theirs] = [new textParser.Encoder(), new Encoder()]
  fc.assert(
    fc.property(packet, (each) => {
      expect(ours.encode(each)).toEqual(theirs.encode({ ...each }))
    })
  )
})
