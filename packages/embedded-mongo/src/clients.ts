/** A connection, independent of the wire protocol. */
export interface Client {
  id: number
  /** Logical sessions that were used on it. */
  sessions: Set<string>
  /** Aborted when the connection closes. */
  signal: AbortSignal
}
