import { WebSocketServer, type ServerOptions } from 'ws'

/**
 * Handles one frame of a connection in each turn of the event loop, and those of other connections in between. Otherwise
 * `ws` handles all frames that one read has brought, hundreds of one client, while somebody's tap waits.
 */
export class FramesInTurn extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, allowSynchronousEvents: false })
  }
}
