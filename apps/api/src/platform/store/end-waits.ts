import type { EventEmitter } from 'node:events'
import type { Connection } from 'mongoose'

/** The driver's connection class, as far as it is patched here. */
interface DriverConnection {
  socket: EventEmitter
  cleanup(error: Error): void
}
interface Driver {
  topology?: { s: { servers: Map<string, { pool: { options: { connectionType: { prototype: DriverConnection } } } }> } }
}

/**
 * Works around a bug of the driver (mongodb 7.8 and 7.9): a command written to a socket that has ended, before the driver
 * notices, waits for `drain` forever. If that command is the server monitor's, as when all connections end at once in the
 * middle of calls, it never checks again, and every call fails until a restart. Here the wait ends with the connection, which
 * then reports that it is closed. Patched once per process: all clients share the class.
 */
export function endWaitsWithTheirSocket(connection: Connection): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver has no type for what is inside of it
  const { topology } = connection.getClient() as unknown as Driver
  const server = topology?.s.servers.values().next().value
  if (server === undefined) throw new Error('Only an open connection can be mended.')
  const { prototype } = server.pool.options.connectionType
  const { cleanup } = prototype
  if (cleanup.name === 'cleanupAndWake') return
  prototype.cleanup = function cleanupAndWake(this: DriverConnection, error) {
    cleanup.call(this, error)
    this.socket.emit('drain')
  }
}
