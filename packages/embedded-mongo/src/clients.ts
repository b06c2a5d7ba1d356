/** A connection, as the parts behind the wire know it. */
export interface Client {
  id: number
  /** What `hello` said about it, for `currentOp`-like questions and logs. */
  metadata: unknown
  /** Logical sessions that were used through it. */
  sessions: Set<string>
  /** Aborted when the connection closes. */
  signal: AbortSignal
}
