import { localHttpHost } from '@batti/kit/address'

/** Where a board that is being set up answers: always plain http, in the local network. */
const defaultBoardHost = '192.168.4.1'

/** The board's address of the page: `?board=HOST:PORT` when that is local, else the one that boards have by default. */
export function boardAddressOf(search: string): string {
  return localHttpHost(new URLSearchParams(search).get('board') ?? '') ?? defaultBoardHost
}
