/** A connection, independent of the wire protocol. */
export interface Client {
  id: number
  /** The client metadata of `hello`, for `currentOp`-like commands and logs. */
  metadata: unknown
  /** Logical sessions that were used on it. */
  sessions: Set<string>
  /** Aborted when the connection closes. */
  signal: AbortSignal
}
