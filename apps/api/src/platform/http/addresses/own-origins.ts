/** Whether an `Origin` header names our own app. `host`: the host that the client asked for. */
export type IsOwnOrigin = (origin: string, host: string | undefined) => boolean

/**
 * Our own pages: those of the host that was asked for, of `PUBLIC_URL`, and of `CORS_ORIGINS`. A proxy may send its own
 * name for the server as the host.
 */
export function createOwnOrigins(parts: { publicUrl: string; corsOrigins: readonly string[] }): IsOwnOrigin {
  const known = new Set([new URL(parts.publicUrl).origin, ...parts.corsOrigins])
  return (origin, host) => known.has(origin) || (host !== undefined && URL.parse(origin)?.host === host)
}
