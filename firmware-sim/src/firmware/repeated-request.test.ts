import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '@batti/kit/node/listen'
import type { FirmwareProgress } from '@batti/contracts'
import { createSharedTimer } from '../board/shared-timer.ts'
import { factoryRecord } from '../board/flash-record.ts'
import { createMemoryImages } from './firmware-images.ts'
import { createUpdater } from './firmware-update.ts'

const patience = { timeout: 60_000, interval: 10 }

/** An updater whose downloads end only when the test answers them. */
async function stalledUpdater() {
  const asked: ServerResponse[] = []
  const server = createServer((_request, response) => void asked.push(response))
  const port = await listen(server)
  const life = new AbortController()
  onTestFinished(() => {
    life.abort()
    server.closeAllConnections()
    server.close()
  })
  const said: FirmwareProgress[] = []
  let firmware = factoryRecord('34:98:7A:0C:51:E2').firmware
  const updater = createUpdater({
    images: createMemoryImages(),
    clock: createSharedTimer(),
    random: Math.random,
    signal: life.signal,
    firmware: () => firmware,
    credentialFor: () => ({ authorization: null, caPem: null }),
    save: (change) => (firmware = { ...firmware, ...change }),
    progress: (progress) => void said.push(progress),
    reboot: () => undefined,
    hwModel: 'batti-wall-4',
    trustedKeys: [],
    fault: () => 'none',
    cutPower: () => undefined
  })
  const start = (id: string): void =>
    updater.start({ id, url: `http://127.0.0.1:${port}/`, version: '1.5.0', size: 1000, sha256: '0'.repeat(64) })
  const isAsked = (times: number) => vi.waitFor(() => expect(asked).toHaveLength(times), patience)
  return { start, asked, isAsked, said: () => said.splice(0).map(({ id, phase }) => `${id} ${phase}`) }
}

test('a repeated request for an update is answered with its own progress, not with that of a refused one', async () => {
  const { start, asked, isAsked, said } = await stalledUpdater()
  start('first')
  await isAsked(1)
  asked[0]?.write(randomBytes(500))
  await vi.waitFor(() => expect(said()).toContain('first download'), patience)
  start('second')
  expect(said()).toEqual(['second failed'])
  start('first')
  expect(said()).toEqual(['first download'])
})

test('a repeated request for an update is not answered with the end of the one before', async () => {
  const { start, asked, isAsked, said } = await stalledUpdater()
  start('first')
  await isAsked(1)
  asked[0]?.writeHead(404).end()
  await vi.waitFor(() => expect(said()).toEqual(['first failed']), patience)
  start('second')
  await isAsked(2)
  start('second')
  expect(said()).toEqual([])
})
