/** What the load generator needs to know of a system under test, ours or a bare one: both speak the same wire. */
export interface Target {
  socketUrl: string
  broker: { host: string; port: number; caPem: string }
  /** One socket each. */
  users: { token: string }[]
  boards: TargetBoard[]
}

export interface TargetBoard {
  mac: string
  deviceId: string
  password: string
  /** Index of its owner in `users`. */
  user: number
}

/** Percentiles in milliseconds. `lost`: toggles that no screen saw within their time. */
export interface Latency {
  done: number
  lost: number
  p50: number
  p99: number
}
