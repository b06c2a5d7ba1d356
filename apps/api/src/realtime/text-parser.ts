import { Decoder, type Packet } from 'socket.io-parser'

/**
 * Writes packets of the socket.io protocol (version 5) as text. The library's encoder first looks for binary parts in every value
 * of an event, and no event of ours has any. A class because socket.io constructs it.
 */
class Encoder {
  encode({ type, nsp, id, data }: Pick<Packet, 'type' | 'nsp' | 'id' | 'data'>): [text: string] {
    const namespace = nsp === '/' ? '' : `${nsp},`
    return [`${type}${namespace}${id ?? ''}${data === undefined ? '' : JSON.stringify(data)}`]
  }
}

/** A `parser` for socket.io's server. */
export const textParser = { Encoder, Decoder }
