import { deviceCredentials } from '@batti/contracts'
import { createSemaphore } from '@batti/kit/semaphore'
import { expect, test } from 'vitest'
import { startHouseServer } from '../../test/house-server.ts'
import { createSharedTimer } from '../board/shared-timer.ts'
import { createLink } from './link.ts'
import { keptCredentials } from './onboarding.ts'
import { createTlsContexts } from './tls-contexts.ts'

test('a board told to reconnect while it waits for its turn opens one connection', async () => {
  const server = await startHouseServer()
  const credentials = keptCredentials(deviceCredentials.parse(server.accept().body.data))
  const gate = createSemaphore(2)
  const leaves = [await gate.enter(), await gate.enter()]
  const connected = Promise.withResolvers<void>()
  let attempts = 0
  const link = createLink({
    credentials,
    caPem: () => credentials.caPem,
    clock: createSharedTimer(),
    random: Math.random,
    gate,
    tls: createTlsContexts(),
    attempt() {
      attempts += 1
      return { address: { host: '127.0.0.1', port: server.mqttPort }, will: {} }
    },
    connected: connected.resolve,
    received: () => undefined,
    lost: () => undefined
  })
  try {
    link.reconnect()
    for (const leave of leaves) leave()
    await connected.promise
    expect(attempts).toBe(1)
  } finally {
    link.cut()
    await server.close()
  }
})
