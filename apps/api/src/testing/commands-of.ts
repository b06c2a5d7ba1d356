import { AsyncLocalStorage } from 'node:async_hooks'
import type { mongo } from 'mongoose'
import type { TestInstance } from './test-instance.ts'

const watched = new AsyncLocalStorage<object>()

/**
 * Returns the database commands of `call` and of the requests that it makes, in order. Those of background work, which
 * may run at any moment, are left out. The api needs `hearsQueries`.
 */
export async function commandsOf(
  { connection, server }: Pick<TestInstance, 'connection' | 'server'>,
  call: () => Promise<unknown>
): Promise<mongo.CommandStartedEvent[]> {
  const own = {}
  const sent: mongo.CommandStartedEvent[] = []
  const enter = (): void => watched.enterWith(own)
  const hear = (event: mongo.CommandStartedEvent): void => {
    if (watched.getStore() === own) sent.push(event)
  }
  server.prependListener('request', enter)
  const client = connection.getClient().on('commandStarted', hear)
  try {
    await watched.run(own, call)
  } finally {
    client.off('commandStarted', hear)
    server.off('request', enter)
  }
  return sent
}
