import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** An HTTP server of Node for tests of connections, and clients that write bytes. */
export function createBareServer() {
  let server: Server
  const sockets: Socket[] = []
  return {
    /** Listens on a free port of this machine. */
    async listen(listener: RequestListener): Promise<Server> {
      server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    },
    /** Connects and writes; the client reads nothing by itself. */
    async open(sent = ''): Promise<Socket> {
      const { port } = server.address() as AddressInfo
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write(sent)
      return socket
    },
    /** Call for an upgraded connection, which the server forgets. */
    destroyAtClose: (socket: Socket): void => void sockets.push(socket),
    async close(): Promise<void> {
      for (const socket of sockets.splice(0)) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

export const requestText = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
