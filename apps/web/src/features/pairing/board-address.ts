import { localHttpHost } from '@batti/kit/address'

/** The default address of a board in setup mode: always plain HTTP, in the local network. */
const defaultBoardHost = '192.168.4.1'

/** Returns the board's address: `?board=HOST:PORT` if it is local, else the default one. */
export function boardAddressOf(search: string): string {
  return localHttpHost(new URLSearchParams(search).get('board') ?? '') ?? defaultBoardHost
}
