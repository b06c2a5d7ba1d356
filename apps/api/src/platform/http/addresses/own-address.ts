import type { Server } from 'node:http'
import { urlHost } from '@batti/kit/address'
import type { Config } from '../../config.ts'

type Address = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** Returns the address of the web app and the api: as configured, else where they listen. Without a trailing slash. */
export const ownAddress = ({ PUBLIC_URL, HOST, PORT }: Address): string =>
  PUBLIC_URL ?? `http://${urlHost(HOST)}:${PORT}`

/** Returns where boards reach this server; with its actual port where the system chose one. */
export function addressForBoards(config: Address, server: Server): string {
  const address = server.address()
  return ownAddress(typeof address === 'object' && address !== null ? { ...config, PORT: address.port } : config)
}
