import { urlHost } from '@batti/kit/address'
import { listen } from '@batti/kit/node/listen'
import type { Server } from 'node:http'

/** Where a board's setup page is reached, while it is open. Once open, it keeps its port where that is still free. */
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
      // Closed meanwhile; nothing can end a server that does not listen yet.
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
