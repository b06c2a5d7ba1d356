/** The facts about a system under test, product or baseline, for the load generator. Both have the same protocol. */
export interface Target {
  socketUrl: string
  broker: { host: string; port: number; caPem: string }
  /** Each user opens one socket. */
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

/** Percentiles in milliseconds. `lost` counts toggles that no screen received in time. */
export interface Latency {
  done: number
  lost: number
  p50: number
  p99: number
}
