import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { keepHeapSmall } from './small-heap.ts'
import { serveFolder, type ServeOptions } from './serve-folder.ts'
import { startFailure } from './start-failure.ts'

const USAGE = 'usage: main.ts --data FOLDER [--port NUMBER | --socket PATH] [--gather MILLISECONDS]'

function readOptions(args: readonly string[]): Pick<ServeOptions, 'data' | 'listen' | 'limits'> {
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
    limits: gather === undefined ? {} : { gatherMs: wholeNumber('--gather', gather, 10_000) },
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
  const stop = (): void => void server.close().then(() => process.exit(0))
  const server = await serveFolder({ ...readOptions(process.argv.slice(2)), onLost: fail, onStopRequest: stop })
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  console.log(JSON.stringify({ ready: true, uri: server.uri }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch(fail)
}
