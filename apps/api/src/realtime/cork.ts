import type { Server } from 'socket.io'

/**
 * What one turn of the event loop tells a screen leaves in one write: the sending is the dearest part of telling it, and a
 * room that is switched on tells a screen of many boards at once.
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
