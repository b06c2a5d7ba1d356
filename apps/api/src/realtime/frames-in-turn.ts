import { WebSocket, WebSocketServer, type ServerOptions } from 'ws'

/** The most frames of one connection that are handled in one turn. One a turn would cost each answer a write of its own. */
export const framesPerTurn = 8

const frames: ReadonlySet<string | symbol> = new Set(['message', 'ping', 'pong'])

/**
 * Handles a few frames of a connection in each turn of the event loop, and those of other connections in between. Otherwise
 * `ws` handles all frames that one read has brought, hundreds of one client, while somebody's tap waits.
 */
export class FramesInTurn extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, WebSocket: WebSocketInTurn, autoPong: false })
  }
}

class WebSocketInTurn extends WebSocket {
  #left = framesPerTurn
  /** The events that one read has brought beyond this turn, in order. Nothing is read until all of them are handled. */
  #waiting: { event: string | symbol; args: unknown[] }[] = []

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const mustWait = this.#waiting.length > 0 || (this.#left === 0 && frames.has(event))
    if (!mustWait) return this.#handle(event, args)
    if (this.#waiting.length === 0) this.pause()
    this.#waiting.push({ event, args })
    return true
  }

  #handle(event: string | symbol, args: unknown[]): boolean {
    if (frames.has(event)) {
      if (this.#left === framesPerTurn) setImmediate(() => this.#beginTurn())
      this.#left -= 1
    }
    if (event === 'ping') this.pong(args[0])
    return super.emit(event, ...args)
  }

  #beginTurn(): void {
    this.#left = framesPerTurn
    if (this.#waiting.length === 0) return
    let handled = 0
    for (const { event, args } of this.#waiting) {
      if (this.#left === 0) break
      handled += 1
      this.#handle(event, args)
    }
    this.#waiting.splice(0, handled)
    if (this.#waiting.length === 0) this.resume()
  }
}
