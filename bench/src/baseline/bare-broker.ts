/**
 * The broker of the bare baseline: aedes behind TLS in its own process, QoS 0, TCP_NODELAY; no authentication, rules or
 * limits. `node bare-broker.ts CERT KEY`; reports its port on request.
 */
import { Aedes } from 'aedes'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { answerParent } from '../child.ts'

const [certFile = '', keyFile = ''] = process.argv.slice(2)
const broker = await Aedes.createBroker()
const server = createServer(
  { cert: readFileSync(certFile), key: readFileSync(keyFile), noDelay: true, minVersion: 'TLSv1.2' },
  (socket) => {
    socket.on('error', () => undefined)
    broker.handle(socket)
  }
)
broker.on('clientError', () => undefined)
broker.on('connectionError', () => undefined)
server.on('tlsClientError', () => undefined)
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
await once(server, 'listening')

answerParent(() => ({ port: (server.address() as AddressInfo).port, clients: broker.connectedClients }))
