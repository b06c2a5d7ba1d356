import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '../testing/test-api.ts'

// On a clock of the test: the board has all the time to answer, so that the deletion is what ends the tap.
test('a tap whose board is deleted meanwhile is told at once that it does not exist', async () => {
  const app = await startApi()
  onTestFinished(() => app.stop())
  const sita = app.person()
  const { id, mac: deviceMac, board } = await app.device(sita)
  board.isMute = true
  const { port } = app.server.address() as AddressInfo
  const screen = io(`http://127.0.0.1:${port}`, {
    transports: ['websocket'],
    forceNew: true,
    auth: { token: await app.tokenOf(sita) }
  })
  onTestFinished(() => void screen.disconnect())
  const told = new Promise((resolve) => screen.once('deviceStatus', resolve))
  await new Promise<void>((resolve) => void screen.once('connect', resolve))
  const tap = { deviceMac, switchIndex: 0, state: true }
  expect(await screen.timeout(60_000).emitWithAck('toggle-switch', tap)).toMatchObject({ ok: true })
  await app.call('DELETE', `/devices/${id}`, sita)
  expect(await told).toEqual({ message: 'Device was not found.', deviceMac, code: 'NOT_FOUND' })
})
