import type { Server } from 'node:http'
import type { Config } from '../config.ts'

/** Where boards find this server: what the settings say, else where it listens. Without a slash at the end. */
export function addressForBoards(config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>, server: Server): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/$/, '')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT
  return `http://${config.HOST}:${port}`
}
