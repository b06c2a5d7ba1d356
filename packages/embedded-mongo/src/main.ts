import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { stopOnSignals } from '@batti/kit/node/stop-on-signals'
import { keepHeapSmall } from './small-heap.ts'
import { serveFolder, type ServeOptions } from './serve-folder.ts'
import { startFailure } from './start-failure.ts'

const USAGE = 'usage: main.ts --data FOLDER [--port NUMBER | --socket PATH]'

function readOptions(args: readonly string[]): Pick<ServeOptions, 'data' | 'listen'> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      socket: { type: 'string' }
    }
  })
  const { data, port, socket } = values
  if (data === undefined || (port !== undefined && socket !== undefined)) throw new Error(USAGE)
  return {
    data,
    listen: socket !== undefined ? { path: socket } : port === undefined ? null : { port: portOf(port) }
  }
}

function portOf(text: string): number {
  const number = Number(text)
  if (text !== '' && Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  throw new Error(`--port must be 0 to 65535, not ${text}`)
}

/** Prints the reason in one sentence and exits. */
function fail(error: unknown): never {
  console.error(startFailure(error))
  process.exit(1)
}

async function main(): Promise<void> {
  keepHeapSmall()
  const server = await serveFolder({
    ...readOptions(process.argv.slice(2)),
    onLost: fail,
    say: (words) => console.error(words),
    onStopRequest: () => stop()
  })
  const stop = stopOnSignals({ drainMs: 0, stop: server.close })
  console.log(JSON.stringify({ ready: true, uri: server.uri }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch(fail)
}
