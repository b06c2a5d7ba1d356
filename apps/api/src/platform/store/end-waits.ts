import type { EventEmitter } from 'node:events'
import type { Connection } from 'mongoose'

/** The driver's own connection, as far as it is mended. */
interface DriverConnection {
  socket: EventEmitter
  cleanup(error: Error): void
}
interface Driver {
  topology?: { s: { servers: Map<string, { pool: { options: { connectionType: { prototype: DriverConnection } } } }> } }
}

/**
 * A command that the driver (mongodb 7.8 and 7.9) writes to a socket which has ended, before it has heard of the end, waits for
 * room in it for ever. Where that is its look at the database, as when all connections end at once in the middle of calls,
 * it never looks again, and every call fails until the process is started anew. Here such a wait ends with its connection,
 * which then says that it is closed. Once a process: all clients share the class.
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
