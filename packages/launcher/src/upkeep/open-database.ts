import { openDataFolder } from '@batti/embedded-mongo/data-folder'
import { openEngine } from '@batti/embedded-mongo/engine'
import { takeFolder } from '@batti/embedded-mongo/folder-lock'
import { startServer } from '@batti/embedded-mongo/server'
import { messageOf } from '@batti/kit/message-of'
import { MongoClient } from 'mongodb'
import { LaunchError } from '../launch-error.ts'
import { shownUri } from './installation.ts'

/** Nothing expires in it meanwhile: what is counted stays. */
const neverMs = 2 ** 31 - 1

const unreachableAfterMs = 5000

/**
 * Runs something on the embedded engine of a folder that nobody uses, behind a port of loopback.
 * @throws LaunchError where somebody does.
 */
export async function onEmbedded<T>(path: string, work: (uri: string) => Promise<T>): Promise<T> {
  const folder = openDataFolder(path)
  const release = await takeFolder(folder).catch((error: unknown) => {
    throw new LaunchError(messageOf(error))
  })
  try {
    const engine = openEngine({ path: folder.file })
    try {
      const server = await startServer({ engine, listen: { port: 0 }, expiryMs: neverMs })
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

/** Runs something on a connected client. @throws LaunchError where nobody answers. */
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
