import type { Server } from 'socket.io'

/**
 * Corks the sockets for one turn of the event loop, so that all frames of a turn leave in one write to each. The write is the most
 * expensive part of an event, and switching a whole room sends many events to one screen.
 */
export function corkFrames(io: Pick<Server, 'engine'>): void {
  const corked = new Set<Corkable>()
  function uncorkAll(): void {
    const sockets = [...corked]
    corked.clear()
    for (const socket of sockets) socket.uncork()
  }
  io.engine.on(
    'connection',
    (connection: { request: { socket: Corkable }; on(event: 'flush', listen: () => void): void }) => {
      const { socket } = connection.request
      connection.on('flush', () => {
        if (corked.has(socket)) return
        if (corked.size === 0) setImmediate(uncorkAll)
        corked.add(socket)
        socket.cork()
      })
    }
  )
}

interface Corkable {
  cork(): void
  uncork(): void
}
