import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createSetupSite } from './setup-site.ts'

const servers: Server[] = []
const site = createSetupSite({ host: '127.0.0.1', port: 0 }, () => {
  const server = createServer()
  servers.push(server)
  return server
})
afterEach(() => site.close())

it('is closed when the plug is pulled while it opens, and open when it was put back meanwhile', async () => {
  const first = site.open()
  site.close()
  await first
  expect([site.url(), servers.map(({ listening }) => listening)]).toEqual([null, [false]])

  const second = site.open()
  site.close()
  await Promise.all([site.open(), second])
  expect(servers.map(({ listening }) => listening)).toEqual([false, false, true])
  const address = servers[2]?.address() as AddressInfo
  expect(site.url()).toBe(`http://127.0.0.1:${address.port}/`)
})
