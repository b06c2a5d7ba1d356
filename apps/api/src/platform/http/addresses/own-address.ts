import type { Server } from 'node:http'
import type { Config } from '../../config.ts'

/** Returns where boards reach this server: as configured, else where it listens. Without a trailing slash. */
export function addressForBoards(config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>, server: Server): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/$/, '')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT
  return `http://${config.HOST}:${port}`
}
