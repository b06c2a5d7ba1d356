import { plainAddress } from '@batti/kit/address'
import { close, listen } from '@batti/kit/node/listen'
import net from 'node:net'
import tls from 'node:tls'
import type { ConnectionLimits, PendingConnection } from './connection-limits.ts'
import { createHandshakeQueue, type HandshakeLimits } from './handshake-queue.ts'
import type { Tally } from '../metrics.ts'

/** PEM texts. */
export interface Credentials {
  readonly cert: string
  readonly key: string
}

export interface Arrival {
  readonly socket: tls.TLSSocket
  /** An IPv4-mapped IPv6 address is written as IPv4. */
  readonly address: string
  readonly pending: PendingConnection
}

export interface TlsFrontDeps {
  readonly credentials: Credentials
  readonly limits: ConnectionLimits
  readonly handshakes: HandshakeLimits
  readonly handshakeTimeoutMs: number
  readonly tally: Tally
  readonly onArrival: (arrival: Arrival) => void
}

/** Forward secrecy and authenticated encryption only. The list includes suites that ESP32-class TLS stacks support. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305'
].join(':')

/** The content type of a TLS handshake record: its first byte. */
const handshakeRecord = 0x16
const recordHeaderBytes = 5
/** No honest ClientHello is longer. Of a longer one only this many bytes are awaited. */
const helloBytesAwaited = 4096

/** Tells whether the peer's first record is complete: a peer that stops in the middle of it must not occupy a slot. */
function helloState(hello: Buffer): 'more' | 'complete' | 'not TLS' {
  if (hello.length > 0 && hello[0] !== handshakeRecord) return 'not TLS'
  if (hello.length < recordHeaderBytes) return 'more'
  return hello.length < Math.min(recordHeaderBytes + hello.readUInt16BE(3), helloBytesAwaited) ? 'more' : 'complete'
}

/** Calls `then` when the peer's first record is complete, and leaves it unread. Closes a connection that is not TLS. */
function whenHello(raw: net.Socket, then: () => void): void {
  let hello = Buffer.alloc(0)
  raw.on('readable', function hear() {
    const bytes: unknown = raw.read()
    if (!Buffer.isBuffer(bytes)) return
    hello = Buffer.concat([hello, bytes])
    const state = helloState(hello)
    if (state === 'more') return
    raw.off('readable', hear)
    if (state === 'not TLS') {
      raw.destroy()
      return
    }
    raw.unshift(hello)
    then()
  })
}

const secureOptions = ({ cert, key }: Credentials): tls.SecureContextOptions => ({
  cert,
  key,
  minVersion: 'TLSv1.2',
  ciphers
})

/**
 * The public port. A connection is counted on arrival, costs nothing until its first bytes arrive, queues for a handshake
 * slot, and then reaches MQTT, still unauthenticated. A plain server accepts and passes sockets to the TLS server, because
 * `tls.createServer` alone would begin every handshake at once, and a silent connection would occupy a slot.
 */
export function createTlsFront(deps: TlsFrontDeps) {
  const queue = createHandshakeQueue(deps.handshakes)
  const arriving = new Map<string, { pending: PendingConnection; address: string; done: () => void }>()
  const keyOf = (socket: net.Socket) => `${socket.remoteAddress} ${socket.remotePort}`

  const tlsServer = tls.createServer({ ...secureOptions(deps.credentials), handshakeTimeout: deps.handshakeTimeoutMs })
  tlsServer.on('secureConnection', (socket) => {
    const arrival = arriving.get(keyOf(socket))
    if (arrival === undefined) {
      socket.destroy()
      return
    }
    deps.tally.handshakes.ok += 1
    arriving.delete(keyOf(socket))
    arrival.done()
    arrival.pending.silentAgain()
    deps.onArrival({ socket, address: arrival.address, pending: arrival.pending })
  })
  // Node only reports a failed or late handshake. The listener has to close the socket.
  tlsServer.on('tlsClientError', (_error, socket) => {
    deps.tally.handshakes.failed += 1
    socket.destroy()
  })

  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, (raw) => {
    raw.on('error', () => raw.destroy())
    const address = plainAddress(raw.remoteAddress ?? '')
    if (address === '') {
      raw.destroy()
      return
    }
    const connection = {
      close: () => {
        deps.tally.turnedAway += 1
        raw.destroy()
      },
      enter: (pending: PendingConnection) => acceptConnection(raw, address, pending)
    }
    raw.once('close', deps.limits.arrive(address, connection))
  })

  function acceptConnection(raw: net.Socket, address: string, pending: PendingConnection): void {
    deps.tally.connections += 1
    const key = keyOf(raw)
    const arrival = { pending, address, done: () => {} }
    arriving.set(key, arrival)
    raw.on('close', () => {
      arriving.delete(key)
      arrival.done()
      pending.leave()
    })
    whenHello(raw, () => {
      pending.spoke()
      queue.enqueue((done) => {
        if (raw.destroyed) {
          done()
          return
        }
        arrival.done = done
        tlsServer.emit('connection', raw)
      })
    })
  }

  return {
    /** Resolves with the port it listens on. */
    listen: (port: number, host: string): Promise<number> => listen(server, port, host, 2048),
    /** Uses the new certificate for new handshakes; open connections stay. Throws, and changes nothing, when it is unusable. */
    renew(credentials: Credentials): void {
      tls.createSecureContext(secureOptions(credentials))
      tlsServer.setSecureContext(secureOptions(credentials))
    },
    /** Stops accepting connections; open ones stay. */
    close: (): Promise<void> => close(server),
    handshakesWaiting: queue.waiting
  }
}
