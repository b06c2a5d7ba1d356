import { createClient, type Client } from '@batti/client/client'
import { listActionLogs, listDevices, login } from '@batti/contracts'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '@batti/kit/testing'
import { isReady } from '../is-ready.ts'
import { createWall, type Wall } from '../wall.ts'

// A board forgets a report when the server has acknowledged it, and repeats it until then. So after parts are killed,
// every press of a real switch is in the log once; otherwise an acknowledgement was wrong.

const pressesEach = 12

const layouts = [
  {
    name: 'in processes of their own',
    env: { ONE_PROCESS: '0' },
    killed: ['embedded-mongo/src/main', 'apps/api/src/main', 'apps/broker/src/main']
  },
  { name: 'in one process', env: { ONE_PROCESS: '1' }, killed: ['launcher/src/home/main', 'launcher/src/home/main'] }
]

describe.each(layouts)('database, broker and api $name', ({ env, killed }) => {
  it('lose nothing that they acknowledged, and store nothing twice, when they are killed under load', async () => {
    const product = await startProduct({ env: { ...env, LIMIT_LOG_ROWS: '0' } })
    try {
      const wall = createWall(product.wall)
      const client = await asOwner(product)
      const whenAcknowledged = () =>
        until('every report is acknowledged', async () => {
          const boards = await wall.list()
          return boards.every(({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0)
        })
      await whenAcknowledged()
      let pressed = 0
      for (const part of killed) {
        const pid = await until(`${part} runs`, () => Promise.resolve(processOf(product, part)))
        pressed += await pressAll(wall)
        process.kill(pid, 'SIGKILL')
        pressed += await pressAll(wall)
        await until(`${part} runs again`, () => {
          const next = processOf(product, part)
          return Promise.resolve(next !== null && next !== pid)
        })
        await whenAcknowledged()
      }
      // The api receives messages of boards before its port is open: it may have acknowledged all of them and not
      // answer yet.
      await until('the api answers', () => isReady(product.web))
      const { logs } = await client.call(listActionLogs, { query: { limit: 500 } })
      // The demo's week of history was not reported by a board. A time cannot tell, as boards' clocks differ by some ms.
      const rows = logs.filter(({ cause, report }) => cause?.by === 'button' && report !== null)
      expect(rows).toHaveLength(pressed)
      expect(new Set(rows.map(({ report }) => `${report?.bootId}/${report?.seq}`)).size).toBe(pressed)
      // The screens must show the states of the boards.
      const { devices } = await client.call(listDevices, {})
      const received = Object.fromEntries(devices.map((device) => [device.deviceMac, device.switch]))
      const real = Object.fromEntries((await wall.list()).map((board) => [board.mac, board.switch]))
      expect(received).toEqual(real)
    } finally {
      await product.stop()
    }
  })
})

async function asOwner(product: Product): Promise<Client> {
  const client = createClient({ base: product.web })
  const { email, password } = accountOf(product, 'user')
  return client.as((await client.call(login, { body: { email, password } })).accessToken)
}

async function pressAll(wall: Wall): Promise<number> {
  const boards = await wall.list()
  for (let count = 0; count < pressesEach; count += 1) {
    await Promise.all(boards.map(({ mac }) => wall.press(mac, 0)))
  }
  return pressesEach * boards.length
}

/** The process id of the part with `part` in its command line; null between its end and its next start. */
function processOf({ data }: Product, part: string): number | null {
  const { parts } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { parts: number[] }
  return parts.find((pid) => commandOf(pid).includes(part)) ?? null
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
