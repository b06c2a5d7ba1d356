import { parseArgs } from 'node:util'
import { stopOnSignals } from '@batti/kit/node/stop-on-signals'
import { openDataFolder } from './data-folder.ts'
import { openEngine } from './engine.ts'
import { takeFolder } from './folder-lock.ts'
import { startServer } from './server.ts'
import { startFailure } from './start-failure.ts'

function fail(error: unknown): never {
  console.error(`exception in initAndListen: ${startFailure(error)}`)
  process.exit(1)
}

/**
 * Runs the engine with the command line of `mongod`, for tools that start one. mongodb-memory-server calls `--version`
 * (answered by bin/mongod), waits for "Waiting for connections", and stops it with the command `shutdown`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    strict: false,
    options: {
      port: { type: 'string' },
      dbpath: { type: 'string' },
      replSet: { type: 'string' },
      bind_ip: { type: 'string' },
      storageEngine: { type: 'string' },
      noauth: { type: 'boolean' },
      auth: { type: 'boolean' },
      keyFile: { type: 'string' },
      setParameter: { type: 'string', multiple: true }
    }
  })
  if (values.auth === true) throw new Error('BadValue: --auth is not supported: only local processes reach this server')
  const address = values.bind_ip ?? '127.0.0.1'
  if (address !== '127.0.0.1' && address !== 'localhost')
    throw new Error(`BadValue: --bind_ip ${String(address)} is refused: this server is reached from this machine only`)
  const folder = openDataFolder(String(values.dbpath ?? 'data'))
  const release = await takeFolder(folder)
  const engine = openEngine({ path: folder.file, onLost: fail })
  const server = await startServer({
    engine,
    listen: { port: Number(values.port ?? 27017) },
    ...(typeof values.replSet === 'string' ? { setName: values.replSet } : {}),
    onStopRequest: () => stop(),
    ...expiryOf(values.setParameter)
  })
  const stop = stopOnSignals({
    drainMs: 0,
    async stop() {
      await server.close()
      engine.close()
      release()
    }
  })
  console.log(`Waiting for connections on port ${server.port ?? 0}`)
  console.log('transition to PRIMARY from SECONDARY')
  console.log('transition to primary complete; database writes are now permitted')
}

/** Reads MongoDB's parameter for the interval of document expiry, which tests use. */
function expiryOf(parameters: unknown): { expiryMs?: number } {
  const all = Array.isArray(parameters) ? parameters.map(String) : []
  const seconds = all.map((parameter) => /^ttlMonitorSleepSecs=(\d+)$/.exec(parameter)?.[1]).find(Boolean)
  return seconds === undefined ? {} : { expiryMs: Number(seconds) * 1000 }
}

main().catch(fail)
