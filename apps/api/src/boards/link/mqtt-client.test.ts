import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { createMqttLink } from './mqtt-client.ts'

it('comes back to a broker that first answered that its server is away', async () => {
  const accepted = Buffer.from([0x20, 0x02, 0x00, 0x00])
  const unavailable = Buffer.from([0x20, 0x02, 0x00, 0x03])
  const granted = (messageId: Buffer) => Buffer.concat([Buffer.from([0x90, 0x03]), messageId, Buffer.from([0x00])])
  let connects = 0
  const broker = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (packet) => {
      const kind = (packet[0] ?? 0) >> 4
      if (kind === 1) {
        connects += 1
        if (connects === 1) socket.end(unavailable)
        else socket.write(accepted)
      }
      if (kind === 8) socket.write(granted(packet.subarray(2, 4)))
    })
  })
  await new Promise<void>((done) => broker.listen(0, '127.0.0.1', done))
  let ups = 0
  const link = createMqttLink({
    url: `mqtt://127.0.0.1:${(broker.address() as AddressInfo).port}`,
    caFile: undefined,
    clientId: 'api-test',
    password: 'x',
    sharedGroup: undefined,
    log: pino({ level: 'silent' }),
    onMessage: () => undefined,
    onUp: () => void (ups += 1),
    onDown: () => undefined
  })
  await until(() => Promise.resolve(link.isUp()))
  expect([connects, ups]).toEqual([2, 1])
  await link.stop()
  broker.close()
})
