import { deviceAuthRequest, type DeviceAuthRequest, type DeviceReport } from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import { listen } from '@batti/kit/node/listen'
import { freePort } from '@batti/kit/node/ports'
import { Aedes, type Client } from 'aedes'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'

export interface Published {
  topic: string
  payload: Record<string, unknown>
  deviceId: string
  at: number
}

export interface TestCertificate {
  key: string
  cert: string
}

/** Makes a self-signed certificate for `names`. */
export async function makeCertificate(
  options: { ips?: string[]; names?: string[]; notAfter?: Date } = {}
): Promise<TestCertificate> {
  const { ips = ['127.0.0.1'], names = [], notAfter } = options
  const made = await generate([{ name: 'commonName', value: 'batti test' }], {
    keyType: 'ec',
    ...(notAfter === undefined ? {} : { notBeforeDate: new Date(notAfter.getTime() - dayMs), notAfterDate: notAfter }),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...ips.map((ip) => ({ type: 7 as const, ip })),
          ...names.map((value) => ({ type: 2 as const, value }))
        ]
      }
    ]
  })
  return { key: made.private, cert: made.cert }
}

/** Opens the broker's port, which can be closed and opened again: meanwhile the system gives it to nobody else. */
async function openDoor(broker: Aedes, { key, cert }: TestCertificate) {
  const sockets = new Set<TLSSocket>()
  const port = await freePort()
  const openServer = async (): Promise<TlsServer> => {
    const opened = createTlsServer({ key, cert }, (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => undefined)
      broker.handle(socket)
    })
    opened.on('tlsClientError', (_error, socket) => socket.destroy())
    await listen(opened, port)
    return opened
  }
  let server = await openServer()
  return {
    port,
    async open() {
      server = await openServer()
    },
    /** Closes the port and breaks all connections. */
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}

const setupForm = (userId: string, ports: { serverPort: number; mqttServerPort: number }) => ({
  ssid: 'Himal-2G',
  password: 'canary-wifi-password',
  userId,
  serverUrl: '127.0.0.1',
  otherUrl: '/api/v1/device-auth',
  mqttServerUrl: '127.0.0.1',
  ...ports,
  activeColor: 'blue',
  timezone: 'Asia/Kathmandu'
})

/** Starts the parts of the server that a board uses: a real broker on TLS, and `/device-auth` over real HTTP. */
export async function startHouseServer(
  options: { certificate?: TestCertificate; caPem?: string; acknowledge?: boolean } = {}
) {
  const certificate = options.certificate ?? (await makeCertificate())
  const broker = await Aedes.createBroker()
  const published: Published[] = []
  const auths: DeviceAuthRequest[] = []
  const passwords = new Map<string, string>()
  const refusedClients = new Set<string>()
  let acknowledge = options.acknowledge ?? true
  let authAnswer: ((request: DeviceAuthRequest) => { status: number; body: object }) | null = null
  let devices = 0
  let connects = 0
  let unavailable = false

  broker.authenticate = (client, username, password, done) => {
    connects += 1
    if (unavailable) return done(Object.assign(new Error('auth is away'), { returnCode: 3 as const }), false)
    const fine = passwords.get(username ?? '') === password?.toString() && !refusedClients.has(client.id)
    if (fine) done(null, true)
    else done(Object.assign(new Error('not authorized'), { returnCode: 5 as const }), false)
  }
  broker.on('publish', (packet, client) => {
    if (!packet.topic.startsWith('d/')) return
    const [, deviceId = '', way, name] = packet.topic.split('/')
    if (way !== 'up') return
    const payload = JSON.parse(packet.payload.toString()) as Record<string, unknown>
    published.push({ topic: name ?? '', payload, deviceId, at: Date.now() })
    if (name === 'update-from-device' && acknowledge && client !== null) {
      const { bootId, seq } = payload as unknown as DeviceReport
      // Not inside the broker's own publish call, which would recurse endlessly under load.
      setImmediate(() => send(deviceId, 'ack', { bootId, seq, serverTime: Date.now() }))
    }
  })

  function send(deviceId: string, name: string, payload: object | string): void {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    broker.publish(
      {
        cmd: 'publish',
        qos: 0,
        dup: false,
        retain: false,
        topic: `d/${deviceId}/down/${name}`,
        payload: Buffer.from(text)
      },
      () => undefined
    )
  }

  const door = await openDoor(broker, certificate)
  const mqttPort = door.port

  const http: HttpServer = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = deviceAuthRequest.parse(JSON.parse(Buffer.concat(chunks).toString()))
      auths.push(body)
      const { status, body: answer } = authAnswer?.(body) ?? accept()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    })
  })
  const httpPort = await listen(http)

  function accept() {
    devices += 1
    const deviceId = devices.toString(16).padStart(24, '0')
    passwords.set(deviceId, `secret-${deviceId}-${auths.length}`)
    const data = {
      deviceId,
      clientId: `dev-${deviceId}`,
      mqttUsername: deviceId,
      mqttPassword: passwords.get(deviceId),
      mqttHost: '127.0.0.1',
      mqttPort,
      mqttCaPem: options.caPem ?? certificate.cert,
      topics: { up: `d/${deviceId}/up/`, down: `d/${deviceId}/down/+` },
      keepaliveS: 30,
      serverTime: Date.now()
    }
    return { status: 201, body: { statusCode: 201, success: true, message: 'ok', data } }
  }

  return {
    broker,
    published,
    auths,
    mqttPort,
    httpPort,
    accept,
    send,
    reports: (deviceId?: string) =>
      published
        .filter(
          (message) =>
            message.topic === 'update-from-device' && (deviceId === undefined || message.deviceId === deviceId)
        )
        .map((message) => message.payload as unknown as DeviceReport),
    statuses: () => published.filter((message) => message.topic === 'status').map((message) => message.payload),
    setAcknowledge(value: boolean) {
      acknowledge = value
    },
    setAuthAnswer(answer: typeof authAnswer) {
      authAnswer = answer
    },
    /** Returns the number of clients that sent their credential. */
    connects: () => connects,
    setUnavailable(value: boolean) {
      unavailable = value
    },
    refuse(client: string, refused: boolean) {
      if (refused) refusedClients.add(client)
      else refusedClients.delete(client)
    },
    clients: () => Object.values((broker as unknown as { clients: Record<string, Client> }).clients),
    /** Closes the broker's port and breaks all connections, as if the broker crashed. */
    stopBroker: () => door.close(),
    startBroker: () => door.open(),
    /** Returns a setup form with the address of this server. */
    form: (userId = '64f000000000000000000001.CODE') =>
      setupForm(userId, { serverPort: httpPort, mqttServerPort: mqttPort }),
    async close() {
      await door.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await new Promise<void>((resolve) => broker.close(() => resolve()))
    }
  }
}

export type HouseServer = Awaited<ReturnType<typeof startHouseServer>>
