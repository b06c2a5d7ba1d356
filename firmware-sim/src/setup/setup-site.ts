import { urlHost } from '@batti/kit/address'
import { listen } from '@batti/kit/node/listen'
import type { Server } from 'node:http'

/** Opens and closes a board's setup page. It reuses the port of the last time if that is free. */
export function createSetupSite(address: { host: string; port: number }, createServer: () => Server) {
  const { host } = address
  let { port } = address
  let server: Server | null = null
  let opening: Server | null = null

  return {
    /** Resolves when the page listens. */
    async open(): Promise<void> {
      const opened = (opening = createServer())
      const taken = await listen(opened, port, host).catch(() => listen(opened, 0, host))
      // `close` was called meanwhile, but a server that does not listen yet cannot be closed.
      if (opening !== opened) return void opened.close()
      server = opened
      port = taken
    },
    url: (): string | null => (server === null ? null : `http://${urlHost(host)}:${port}/`),
    close(): void {
      server?.close()
      server?.closeAllConnections()
      server = opening = null
    }
  }
}
