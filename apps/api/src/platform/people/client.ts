/** Where a call comes from, for limits and the security log. */
export interface Client {
  ip: string
  userAgent: string
  requestId: string
}
