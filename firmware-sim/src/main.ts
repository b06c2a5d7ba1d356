import { urlHost } from '@batti/kit/address'
import { calledFrom } from '@batti/kit/node/config'
import { listen } from '@batti/kit/node/listen'
import { readTrustedKey } from '@batti/firmware/key-files'
import { minuteMs } from '@batti/kit/durations'
import { messageOf } from '@batti/kit/message-of'
import { createSharedResources } from './board/shared-resources.ts'
import type { Board } from './board/board.ts'
import { helpText, readCommandLine, type SimOptions } from './cli.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { logIn, setUpAll } from './pairing.ts'
import { showProgress } from './progress.ts'
import { createWallServer } from './wall-server.ts'

const onlineWithinMs = minuteMs

const answer = readCommandLine(process.argv.slice(2), calledFrom())
if ('help' in answer) console.log(helpText)
else if ('faults' in answer) {
  for (const fault of answer.faults) console.error(fault)
  console.error('npm run sim -- --help explains the options.')
  process.exitCode = 1
} else {
  run(answer.run).catch((error: unknown) => {
    console.error(messageOf(error))
    process.exit(1)
  })
}

async function run(options: SimOptions): Promise<void> {
  const many = options.boards > 100
  const fleet = createFleet({
    shared: createSharedResources({ trustedKeys: options.trustedKeys.map(readTrustedKey) }),
    folder: options.flash,
    host: options.host,
    historyLimit: many ? 100 : 1000,
    joinMs: many ? 0 : 400,
    faults: options.faults
  })
  const wall = options.wall === null ? null : createWallServer(fleet, options.host, options.app)
  stopOnSignal(async () => {
    await Promise.all([wall?.close(), fleet.close()])
  })
  await fleet.restore()
  await addMissing(fleet, options)
  const wallPort = wall === null ? null : await listen(wall.server, options.wall ?? 0, options.host)
  await pairFleet(fleet, options)
  announce(fleet, options, wallPort === null ? null : `http://${urlHost(options.host)}:${wallPort}/`)
}

/** Creates the boards that are missing besides those restored from the folder. */
async function addMissing(fleet: Fleet, { boards, fresh, models, setupPorts }: SimOptions): Promise<void> {
  const missing = boards + fresh - fleet.list().length
  const freshOnes = Math.min(fresh, Math.max(0, missing))
  for (let made = 0; made < missing; made += 1) {
    const model = models[made % models.length] ?? 'BT4'
    const hasPage = made < freshOnes
    const setupPort = hasPage ? (setupPorts === 0 ? 0 : setupPorts + made) : null
    await fleet.add({ model, setupPort })
  }
}

/** Sets up the boards that have no setup page for the user. */
async function pairFleet(fleet: Fleet, { boards, account }: SimOptions): Promise<void> {
  if (boards === 0) return
  const mine = fleet.list().filter((board) => board.state().setupUrl === null)
  const waiting = mine.filter((board) => !board.state().paired)
  if (waiting.length > 0 && account === null) {
    throw new Error(
      `${waiting.length} boards are to be set up: say where and for whom with --api, --email and --password.`
    )
  }
  const stopProgress = showProgress(mine)
  try {
    if (waiting.length > 0 && account !== null) {
      const failed = (board: Board, why: string): void => console.error(`\n${board.mac}: ${why}`)
      await setUpAll(waiting, await logIn(account), { atOnce: 8, timeoutMs: onlineWithinMs, failed })
    }
    // Boards that are already paired only have to connect. The summary lists those that do not.
    await Promise.allSettled(mine.map((board) => board.whenOnline(onlineWithinMs)))
  } finally {
    stopProgress()
  }
}

function announce(fleet: Fleet, { json, flash }: SimOptions, wall: string | null): void {
  const boards = fleet.list().map((board) => board.state())
  if (json) {
    const list = boards.map(({ mac, model, setupUrl, paired }) => ({ mac, model, setupUrl, paired }))
    console.log(JSON.stringify({ wall, boards: list }))
    return
  }
  const online = boards.filter(({ phase }) => phase === 'online').length
  console.log(
    `\n${boards.length} ${boards.length === 1 ? 'board' : 'boards'} powered, ${online} online${flash === null ? '' : `, kept in ${flash}`}`
  )
  for (const { mac, title, setupUrl, phase } of boards.slice(0, 20)) {
    console.log(`  ${mac}  ${title.padEnd(34)} ${phase === 'setup' ? `set up at ${setupUrl}` : phase}`)
  }
  if (boards.length > 20) console.log(`  … and ${boards.length - 20} more`)
  if (wall !== null) console.log(`\nThe wall: ${wall}`)
  console.log('Ctrl-C stops.')
}

/** Stops in order within five seconds at the first signal, and at once at the second. */
function stopOnSignal(close: () => Promise<void>): void {
  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    // Node may hang in `process.exit` (https://github.com/nodejs/node/issues/64274), but not when nothing is left to do.
    setTimeout(() => process.exit(0), 4000).unref()
    void close()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
