import type { Server } from 'socket.io'

/**
 * Corks the socket for one turn of the event loop, so that all frames of a turn leave in one write. The write is the most
 * expensive part of an event, and switching a whole room sends many events to one screen.
 */
export function corkFrames(io: Pick<Server, 'engine'>): void {
  io.engine.on(
    'connection',
    (connection: { request: { socket: Corkable }; on(event: 'flush', listen: () => void): void }) => {
      const { socket } = connection.request
      let isGathering = false
      connection.on('flush', () => {
        if (isGathering) return
        isGathering = true
        socket.cork()
        setImmediate(() => {
          isGathering = false
          socket.uncork()
        })
      })
    }
  )
}

interface Corkable {
  cork(): void
  uncork(): void
}
