import { resolve } from 'node:path'
import { systemClock } from '@batti/kit/clock'
import { calledFrom } from '@batti/kit/node/config'
import { keepInUse } from '../bundle/bundles.ts'
import { ownBundleFolder } from '../bundle/own-bundle-folder.ts'
import { closingBlock, jsonLine } from './closing-block.ts'
import { readSettings } from '../config.ts'
import { createLaunch, type Launch } from './launch.ts'
import { LaunchError } from '../launch-error.ts'
import { helpText, readCommandLine, type LaunchOptions } from './options.ts'
import { createProgress } from './progress.ts'
import { watchRunner } from './runner-watch.ts'

const root = resolve(import.meta.dirname, '../../../..')
const settings = readSettings()
const commandLine = readCommandLine(process.argv.slice(2), { root, cwd: calledFrom(settings.env) })
const programsRemoved =
  'The programs of this home were removed, as `npm ci` does: nobody can log in, and a part that ends cannot start again. Start Batti anew.'
let isStopping = false

// The reader of the output may be gone (a closed terminal or pipe). That must not end the home.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

if ('help' in commandLine) console.log(helpText)
else if ('fault' in commandLine) {
  console.error(commandLine.fault)
  process.exitCode = 1
} else await run(commandLine.run)

async function run(options: LaunchOptions): Promise<void> {
  const progress = createProgress({
    clock: systemClock,
    terminal: { write: (text) => void process.stderr.write(text), isTTY: process.stderr.isTTY }
  })
  const launch = createLaunch({
    options,
    settings,
    root,
    clock: systemClock,
    progress,
    async drawQr(url) {
      const { default: qrcode } = await import('qrcode')
      return qrcode.toString(url, { type: 'terminal', small: true })
    },
    over(why) {
      if (isStopping) return
      isStopping = true
      console.error(why)
      void launch.stop().finally(() => process.exit(1))
    }
  })
  stopOnSignal(launch)
  if (ownBundleFolder !== null) keepInUse(ownBundleFolder, systemClock, () => progress.say(programsRemoved))
  try {
    const summary = await launch.start()
    if (options.json) for (const note of summary.notes) console.error(note)
    console.log(options.json ? jsonLine(summary) : closingBlock(summary))
  } catch (error) {
    if (isStopping) return
    console.error(error instanceof LaunchError ? error.message : error)
    await launch.stop()
    process.exit(1)
  }
}

/** Stops in order at the first signal, within 5 s plus `DRAIN_MS`; kills everything at the second. */
function stopOnSignal(launch: Launch): void {
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      launch.kill()
      process.exit(1)
    }
    isStopping = true
    if (signal === 'SIGINT') process.stderr.write('\nStopping …\n')
    void launch.stop().finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  // Ctrl-C reaches npm's shell and this process. The end of the shell must not count as a second signal.
  if (settings.isRunByNpm) watchRunner(() => isStopping || stop('SIGTERM'))
  process.on('uncaughtException', (error) => {
    console.error(error)
    launch.kill()
    process.exit(1)
  })
}
