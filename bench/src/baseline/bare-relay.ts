/**
 * The server of the bare baseline: it relays between socket.io and one MQTT client, without login, rules, database, or
 * acknowledgements to the board. `node bare-relay.ts MQTT_PORT CA`; reports its port on request.
 */
import { connectAsync } from 'mqtt'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { answerParent } from '../child.ts'

interface Toggle {
  deviceMac: string
  switchIndex: number
  state: boolean
}

interface Report {
  switch: boolean[]
  speed: number[]
  changed?: number[]
  bootId: string
  seq: number
}

const [mqttPort = '', caFile = ''] = process.argv.slice(2)
const idOf = (mac: string): string => mac.replaceAll(':', '').padStart(24, '0').toLowerCase()
const macOf = (id: string): string => (id.slice(-12).toUpperCase().match(/../g) ?? []).join(':')

const link = await connectAsync(`mqtts://127.0.0.1:${mqttPort}`, { protocolVersion: 4, ca: readFileSync(caFile) })
if (link.stream instanceof Socket) link.stream.setNoDelay(true)
await link.subscribeAsync('d/+/up/+', { qos: 0 })

const http = createServer()
const io = new Server(http, { transports: ['websocket'], serveClient: false, perMessageDeflate: false })
io.on('connection', (socket) => {
  socket.on('join-user-device-room', (mac: string, acknowledge?: (answer: object) => void) => {
    void socket.join(mac)
    acknowledge?.({ ok: true })
  })
  let commands = 0
  socket.on('toggle-switch', ({ deviceMac, switchIndex, state }: Toggle) => {
    const payload = {
      id: `${socket.id}-${++commands}`,
      set: [{ index: switchIndex, on: state }],
      expiresAt: Date.now() + 4000
    }
    link.publish(`d/${idOf(deviceMac)}/down/switch-update`, JSON.stringify(payload))
  })
})
link.on('message', (topic, payload) => {
  const [, id = '', , name] = topic.split('/')
  if (name !== 'update-from-device') return
  const report = JSON.parse(payload.toString()) as Report
  const deviceMac = macOf(id)
  const switchIndex = report.changed?.[0] ?? 0
  io.to(deviceMac).emit('switch-update', {
    deviceMac,
    isOnline: true,
    update: { switch: report.switch, speed: report.speed, fanIndexes: [] },
    switchIndex,
    state: report.switch[switchIndex],
    bootId: report.bootId,
    seq: report.seq,
    at: Date.now()
  })
})
http.listen(0, '127.0.0.1')
await once(http, 'listening')

answerParent(() => ({ port: (http.address() as AddressInfo).port }))
