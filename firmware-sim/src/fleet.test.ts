import { testFolder } from '@batti/kit/node/testing'
import { freePort } from '@batti/kit/node/ports'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startHouseServer, type HouseServer } from '../test/house-server.ts'
import { createSharedResources } from './board/shared-resources.ts'
import { createFleet, type Fleet } from './fleet.ts'

let folder = ''
let server: HouseServer
const fleets: Fleet[] = []
beforeEach(async () => {
  folder = testFolder('fleet')
  server = await startHouseServer()
})
afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close()
  await server.close()
})

function newFleet(): Fleet {
  const fleet = createFleet({
    shared: createSharedResources(),
    folder,
    host: '127.0.0.1',
    historyLimit: 10,
    joinMs: 0,
    faults: {}
  })
  fleets.push(fleet)
  return fleet
}

test('a restart brings back every board: paired ones online, new ones in setup mode at the same address', async () => {
  const first = newFleet()
  const paired = await first.add({ model: 'BTF', name: 'Bedroom' })
  // A port that the system gives to nobody else meanwhile.
  const fresh = await first.add({ model: 'BT1', setupPort: await freePort() })
  await paired.when(({ phase }) => phase === 'setup')
  paired.configure(server.form())
  await paired.whenOnline()
  paired.press(3)
  const { setupUrl } = fresh.state()
  await first.close()

  const second = newFleet()
  await second.restore()
  expect(second.list().map(({ mac, model, name }) => ({ mac, model, name }))).toEqual([
    { mac: paired.mac, model: 'BTF', name: 'Bedroom' },
    { mac: fresh.mac, model: 'BT1', name: 'Single switch' }
  ])
  await second.find(paired.mac)?.whenOnline()
  expect(second.find(paired.mac)?.state().switch).toEqual([false, false, false, true])
  expect(server.auths).toHaveLength(1)
  await second.find(fresh.mac)?.when(({ phase }) => phase === 'setup')
  expect(second.find(fresh.mac)?.state().setupUrl).toBe(setupUrl)
})

test('a board with damaged flash reports it and waits for its setup', async () => {
  const first = newFleet()
  const { mac } = await first.add({ model: 'BTS' })
  await first.close()
  writeFileSync(join(folder, `${mac.replaceAll(':', '')}.flash`), 'batti-flash 1 0000\n{}')
  const second = newFleet()
  await second.restore()
  await second.find(mac)?.when(({ phase }) => phase === 'setup')
  expect(second.find(mac)?.state().notice).toContain('back in its factory state')
})

test('a deleted board is gone, with its flash', async () => {
  const fleet = newFleet()
  const board = await fleet.add({ model: 'BT4' })
  await board.when(({ phase }) => phase === 'setup')
  board.press(0)
  expect(await fleet.remove(board.mac.toLowerCase())).toBe(true)
  expect(await fleet.remove(board.mac)).toBe(false)
  expect(readdirSync(folder)).toEqual(['boards.json'])
  const next = newFleet()
  await next.restore()
  expect(next.list()).toEqual([])
})

test('a MAC must be valid, and is used once', async () => {
  const fleet = newFleet()
  await fleet.add({ model: 'BT4', mac: '34987A000001' })
  await expect(fleet.add({ model: 'BT4', mac: '34:98:7a:00:00:01' })).rejects.toThrow(
    'There is a board 34:98:7A:00:00:01 already'
  )
  await expect(fleet.add({ model: 'BT4', mac: 'kitchen' })).rejects.toThrow('kitchen is not a MAC address')
})

test('a damaged list of boards is not treated as an empty one', async () => {
  writeFileSync(join(folder, 'boards.json'), '[{')
  await expect(newFleet().restore()).rejects.toThrow(/boards\.json is damaged/)
})

test('an unreadable list of boards is not called damaged, so that nobody deletes it', async () => {
  mkdirSync(join(folder, 'boards.json'))
  await expect(newFleet().restore()).rejects.toThrow(/^EISDIR/)
})
