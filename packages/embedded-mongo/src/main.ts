import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { defaultListen, openDataFolder } from './data-folder.ts'
import { openEngine } from './engine.ts'
import { takeFolder } from './folder-lock.ts'
import { keepHeapSmall } from './small-heap.ts'
import { startServer, type ListenOn } from './server.ts'
import { startFailure } from './start-failure.ts'

const USAGE = 'usage: main.ts --data FOLDER [--port NUMBER | --socket PATH] [--gather MILLISECONDS]'

interface Options {
  data: string
  listen: ListenOn | null
  gatherMs: number | null
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      socket: { type: 'string' },
      gather: { type: 'string' }
    }
  })
  const { data, port, socket, gather } = values
  if (data === undefined || (port !== undefined && socket !== undefined)) throw new Error(USAGE)
  return {
    data,
    gatherMs: gather === undefined ? null : wholeNumber('--gather', gather, 10_000),
    listen:
      socket !== undefined
        ? { path: socket }
        : port === undefined
          ? null
          : { port: wholeNumber('--port', port, 65_535) }
  }
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = Number(text)
  if (text !== '' && Number.isInteger(number) && number >= 0 && number <= most) return number
  throw new Error(`${option} must be 0 to ${most}, not ${text}`)
}

/** Says why in one sentence. */
function fail(error: unknown): never {
  console.error(startFailure(error))
  process.exit(1)
}

async function main(): Promise<void> {
  keepHeapSmall()
  const { data, listen, gatherMs } = readOptions(process.argv.slice(2))
  const folder = openDataFolder(data)
  const release = await takeFolder(folder)
  const engine = openEngine({ path: folder.file, onLost: fail, ...(gatherMs === null ? {} : { gatherMs }) })
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
