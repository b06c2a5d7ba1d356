import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { createMemoryCluster } from '../../testing/memory-cluster.ts'
import { openScreen } from '../../testing/open-screen.ts'
import { startApi } from '../../testing/test-api.ts'

test('what was set at another instance while its messages were lost reaches a screen once they are connected again', async () => {
  const cluster = createMemoryCluster()
  const here = await startApi({ cluster })
  onTestFinished(here.stop)
  cluster.useClock(here.clock)
  const there = await here.another()
  const sita = here.person()
  const device = await here.device(sita)
  const { port } = there.server.address() as AddressInfo
  const screen = await openScreen(`http://127.0.0.1:${port}`, await here.tokenOf(sita), {})
  onTestFinished(() => void screen.socket.disconnect())
  expect(await screen.send('join-user-device-room', device.mac)).toMatchObject({ ok: true })

  cluster.lost.add('domain-event')
  const { data: lamp } = await here.call('GET', `/switches/by-device/${device.id}/1`, sita)
  await here.call('PATCH', `/switches/by-id/${lamp._id}`, sita, { isFavorite: true })
  await here.call('PATCH', `/devices/${device.id}`, sita, { setName: 'Attic', wifiSSID: 'loft' })
  await here.call('POST', '/schedules', sita, eveningSchedule(device))
  cluster.turn(false)
  cluster.turn(true)

  const missed = ({ update }: { update: object }): boolean => 'switchNames' in update
  expect(await screen.next('update-from-device', missed)).toMatchObject({
    deviceMac: device.mac,
    update: { setName: 'Attic', wifiSSID: 'loft', schedulesRev: 1, switchFavorites: { 0: false, 1: true } }
  })
})
