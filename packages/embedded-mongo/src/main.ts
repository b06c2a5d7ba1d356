import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { defaultListen, openDataFolder } from './data-folder.ts'
import { openEngine } from './engine.ts'
import { takeFolder } from './folder-lock.ts'
import { keepHeapSmall } from './small-heap.ts'
import { startServer, type ListenOn } from './server.ts'
import { startFailure } from './start-failure.ts'

const USAGE = 'usage: main.ts --data FOLDER [--port NUMBER | --socket PATH]'

const readOptions = (args: readonly string[]): { data: string; listen: ListenOn | null } => {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string' }, port: { type: 'string' }, socket: { type: 'string' } }
  })
  if (values.data === undefined) throw new Error(USAGE)
  if (values.port !== undefined && values.socket !== undefined) throw new Error(USAGE)
  if (values.socket !== undefined) return { data: values.data, listen: { path: values.socket } }
  if (values.port === undefined) return { data: values.data, listen: null }
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`--port must be 0 to 65535, not ${values.port}`)
  return { data: values.data, listen: { port } }
}

/** Says why in one sentence. */
const fail = (error: unknown): never => {
  console.error(startFailure(error))
  process.exit(1)
}

const main = async (): Promise<void> => {
  keepHeapSmall()
  const { data, listen } = readOptions(process.argv.slice(2))
  const folder = openDataFolder(data)
  const release = await takeFolder(folder)
  const engine = openEngine({ path: folder.file, onLost: fail })
  const stop = async (): Promise<void> => {
    await server.close()
    engine.close()
    release()
    process.exit(0)
  }
  const server = await startServer({
    engine,
    listen: listen ?? defaultListen(folder),
    onStopRequest: () => void stop()
  })
  process.once('SIGTERM', () => void stop())
  process.once('SIGINT', () => void stop())
  console.log(JSON.stringify({ ready: true, uri: server.uri }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch(fail)
}
