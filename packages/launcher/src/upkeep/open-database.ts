import { openDataFolder } from '@batti/embedded-mongo/data-folder'
import { openEngine } from '@batti/embedded-mongo/engine'
import { takeFolder } from '@batti/embedded-mongo/folder-lock'
import { startServer } from '@batti/embedded-mongo/server'
import { longestDelayMs } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { MongoClient } from 'mongodb'
import { LaunchError } from '../launch-error.ts'
import { shownUri } from './installation.ts'

const unreachableAfterMs = 5000

/**
 * Starts the embedded engine of an unused folder on a loopback port, and runs `work` on it.
 * @throws LaunchError when the folder is in use.
 */
export async function onEmbedded<T>(path: string, work: (uri: string) => Promise<T>): Promise<T> {
  const folder = openDataFolder(path)
  const release = await takeFolder(folder).catch((error: unknown) => {
    throw new LaunchError(messageOf(error))
  })
  try {
    const engine = openEngine({ path: folder.file })
    try {
      // No expired documents are removed meanwhile, so that counts stay valid.
      const server = await startServer({ engine, listen: { port: 0 }, expiryMs: longestDelayMs })
      try {
        return await work(server.uri)
      } finally {
        await server.close()
      }
    } finally {
      engine.close()
    }
  } finally {
    release()
  }
}

/** Runs `work` with a connected client. @throws LaunchError when the database does not answer. */
export async function onMongo<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  let client: MongoClient
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: unreachableAfterMs, ignoreUndefined: true })
    await client.connect()
  } catch (error) {
    const why = messageOf(error)
    throw new LaunchError(`The database ${shownUri(uri)} cannot be reached: ${shownUri(why)}`)
  }
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
