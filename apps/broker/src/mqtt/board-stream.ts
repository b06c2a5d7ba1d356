import type { TokenBucket } from '@batti/kit/token-bucket'
import { Duplex } from 'node:stream'
import { connack } from './connect-rules.ts'
import { UnknownProtocolLevel } from './packet-faults.ts'
import { PacketFramer } from './packet-framer.ts'
import type { Session } from './sessions.ts'

export interface BoardStreamOptions {
  readonly maxPacketBytes: number
  /** A reader whose socket does not drain for this long is disconnected. */
  readonly drainTimeoutMs: number
  /** A reader with a larger backlog is disconnected at once. */
  readonly maxBacklogBytes: number
  readonly budget: Pick<TokenBucket, 'available' | 'spend' | 'msUntilNext'> | null
  readonly onPackets: (packets: number) => void
}

/** How long a refused connection may take to read the reason. */
const lingerMs = 500

/**
 * The stream that aedes gets in place of the socket. Inbound, it passes whole packets of limited size at a limited rate;
 * TCP back-pressure holds the sender. Outbound, it never signals back-pressure: aedes would block the *publisher* until a
 * slow reader drains, so one frozen board would stop the api's connection, and with it every other board. Instead, a
 * drain time-out and a backlog limit disconnect the frozen reader. A class because Node's streams are.
 */
export class BoardStream extends Duplex {
  /** Set once the connection is authenticated. */
  session: Session | null = null
  readonly #socket: Duplex
  readonly #framer: PacketFramer
  readonly #options: BoardStreamOptions
  #budget: BoardStreamOptions['budget']
  #held: Buffer | null = null
  #budgetTimer: NodeJS.Timeout | undefined
  #drainTimer: NodeJS.Timeout | null = null
  #ended = false
  #hungUp = false

  constructor(socket: Duplex, options: BoardStreamOptions) {
    super({ readableHighWaterMark: options.maxPacketBytes, writableHighWaterMark: options.maxPacketBytes })
    this.#socket = socket
    this.#options = options
    this.#budget = options.budget
    this.#framer = new PacketFramer(options.maxPacketBytes)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('end', () => this.#receiveEnd())
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /** Removes the rate limit, for the api's own connection, which carries the commands of every home. */
  liftPacketLimit(): void {
    this.#budget = null
  }

  /** Sends `lastWord` and closes: ignores further input, and gives the peer time to read before it destroys the socket. */
  hangUp(lastWord?: Buffer): void {
    if (this.destroyed) return
    this.#hungUp = true
    const socket = this.#socket
    socket.end(lastWord)
    // Discard further input: closing with unread bytes sends a TCP reset, which can overtake the last word.
    socket.resume()
    const linger = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearTimeout(linger))
    this.destroy()
  }

  override _read(): void {
    if (this.#held === null) this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#budgetTimer)
    if (this.#drainTimer !== null) clearTimeout(this.#drainTimer)
    if (!this.#hungUp) this.#socket.destroy()
    done(error)
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return
    let wanted = true
    const budget = this.#budget
    try {
      this.#held = this.#framer.take(chunk, budget === null ? Infinity : budget.available(), (bytes, packets) => {
        budget?.spend(packets)
        this.#options.onPackets(packets)
        wanted = this.push(bytes)
      })
    } catch (fault) {
      if (fault instanceof UnknownProtocolLevel && this.session === null) this.hangUp(connack(1))
      else this.destroy(fault instanceof Error ? fault : new Error('unreadable packet'))
      return
    }
    if (this.#held !== null && budget !== null) {
      this.#socket.pause()
      this.#budgetTimer = setTimeout(() => this.#release(), budget.msUntilNext())
    } else if (!wanted) this.#socket.pause()
  }

  #release(): void {
    const held = this.#held
    if (held === null) return
    this.#held = null
    this.#receive(held)
    if (this.#held !== null) return
    if (this.#ended) this.push(null)
    else if (this.readableLength < this.readableHighWaterMark) this.#socket.resume()
  }

  #receiveEnd(): void {
    this.#ended = true
    if (this.#held === null) this.push(null)
  }

  #send(bytes: Buffer): void {
    const socket = this.#socket
    if (socket.write(bytes)) return
    if (socket.writableLength > this.#options.maxBacklogBytes) {
      this.destroy(new Error('reader too slow: backlog'))
      return
    }
    if (this.#drainTimer !== null) return
    this.#drainTimer = setTimeout(
      () => this.destroy(new Error('reader too slow: drain timeout')),
      this.#options.drainTimeoutMs
    )
    socket.once('drain', () => {
      if (this.#drainTimer !== null) clearTimeout(this.#drainTimer)
      this.#drainTimer = null
    })
  }
}
