import { join } from 'node:path'
import { readyPath } from '@batti/contracts/http/own-paths'
import type { Timers } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import type { Summary } from './closing-block.ts'
import type { Settings } from '../config.ts'
import { takeDataFolder } from '../data/data-folder.ts'
import { diskRefusal } from '../data/disk-refusal.ts'
import { finishHome } from '../demo/fill-home.ts'
import { beginHome } from '../data/home-kind.ts'
import { accountsHere, adminOf } from './launch-accounts.ts'
import { createLaunchCertificates } from '../certificates/launch-certificates.ts'
import { LaunchError } from '../launch-error.ts'
import { planLaunch, type LaunchPlan } from './launch-plan.ts'
import { databasePort } from './launch-ports.ts'
import { houseOf, notesOfCopy, notesOfNetwork, notesOfRights, summaryOf } from './launch-summary.ts'
import { localCall, localUrl } from '../local-call.ts'
import type { LaunchOptions } from './options.ts'
import { databasePart, partsOf } from '../parts/parts.ts'
import { forwardOldPorts, readKnownPorts, writeKnownPorts, type Forwards } from '../data/port-memory.ts'
import { inStep, type Progress } from './progress.ts'
import { createRunRecord } from '../parts/run-record.ts'
import { createRunningParts, type RunningParts } from '../parts/running-parts.ts'
import { readSecrets } from '../data/secrets.ts'
import { launcherFaults } from './launcher-faults.ts'
import { refuseFewFiles } from './refuse-few-files.ts'
import { waitForStart } from '../parts/start-deadline.ts'
import { refuseHalfRestored, removeHalfUnpacked } from '../upkeep/half-restored.ts'
import { refuseMoved, removeHalfMoved } from '../upkeep/moved.ts'

export interface LaunchParts {
  options: LaunchOptions
  settings: Settings
  root: string
  clock: Timers
  progress: Progress
  /** Text of a QR code for the terminal. */
  drawQr(url: string): Promise<string>
  /** Called with the reason when the home cannot go on, and is to be stopped. */
  over(why: string): void
}

export interface Launch {
  /** Starts everything. @throws LaunchError with one sentence for the user. */
  start(): Promise<Summary>
  /** Stops everything within 5 s plus `DRAIN_MS`, also during a start. */
  stop(): Promise<void>
  /** Kills everything at once. */
  kill(): void
}

export function createLaunch({ options, settings, root, clock, progress, drawQr, over }: LaunchParts): Launch {
  const { data } = options
  const { production } = settings
  const record = createRunRecord(data, process.pid)
  const running = createRunningParts({ data, root, record, clock, progress, over })
  const certificates = createLaunchCertificates({ data, settings, clock, progress })
  let hasFolder = false
  let forwards: Forwards | null = null
  let unwatch = (): Promise<void> => Promise.resolve()

  async function startDatabase(): Promise<void> {
    if (settings.mongodbUri !== null) return running.useDatabase(settings.mongodbUri)
    const part = databasePart({ root, data, port: await databasePort(data), env: settings.env })
    await running.start([part])
    if (running.database() === null) throw new LaunchError('The database did not say where it is.')
  }

  /** Starts the parts. Resolves when the api is connected to its database and the broker. */
  async function startParts(plan: LaunchPlan): Promise<void> {
    const isOneProcess = plan.oneProcess !== null
    if (!isOneProcess) await startDatabase()
    forwards = await forwardOldPorts(readKnownPorts(data), plan.ports.mqtt)
    const parts = partsOf({ ...plan, mongodbUri: isOneProcess ? settings.mongodbUri : running.database() })
    if (options.dev) {
      const { watchCode } = await import('../parts/code-changes.ts')
      unwatch = await watchCode(root, parts, ({ name }) => running.renew(name))
    }
    await running.start(parts)
    await whenConnected(`${localUrl(plan.ports.http)}${readyPath}`, clock, progress)
  }

  async function start(): Promise<Summary> {
    refuseFewFiles()
    refuseHalfRestored(data)
    await takeDataFolder(data, { record, clock, hasDatabase: settings.mongodbUri === null })
    hasFolder = true
    removeHalfUnpacked(data)
    removeHalfMoved(join(data, 'db'))
    const [wrong] = launcherFaults(settings)
    if (wrong !== undefined) throw new LaunchError(wrong)
    refuseMoved(data, settings.mongodbUri)
    const secrets = readSecrets({ folder: data, production, env: settings.env })
    const admin = adminOf(secrets, settings.env)
    const plan = await planLaunch({ options, settings, root, secrets, admin, certificates, progress })
    const begun = production ? ({ kind: 'empty', isFinished: true } as const) : beginHome(data, options.empty)
    const notes = [...notesOfCopy(plan), ...notesOfNetwork(plan), ...notesOfRights(plan)]
    await inStep(progress, 'Starting', () => startParts(plan))
    if (!production) writeKnownPorts(data, readKnownPorts(data), plan.ports)
    for (const port of forwards?.lost ?? [])
      notes.push(`Boards that were set up at port ${port} cannot find this broker: another program has that port.`)
    const home = await finishHome(begun, plan, progress)
    const { accounts, notes: notesOfAccounts } = await accountsHere(home.kind, plan)
    const house = houseOf(plan)
    return summaryOf(plan, {
      accounts,
      notes: [...notes, ...home.notes, ...notesOfAccounts],
      house: house === null ? null : { ...house, qr: await drawQr(house.url) },
      pids: pidsOf(running, settings)
    })
  }

  return {
    async start() {
      try {
        return await start()
      } catch (error) {
        throw diskRefusal(error, data) ?? error
      }
    },
    async stop() {
      certificates.stop()
      void unwatch()
      await running.stop()
      forwards?.close()
      if (hasFolder) record.release()
    },
    kill() {
      certificates.stop()
      running.killAll()
      if (hasFolder) record.release()
    }
  }
}

/** Returns the process id of each part; the parts inside the home process all have its id. */
function pidsOf(running: RunningParts, { mongodbUri }: Settings): Summary['pids'] {
  const home = running.pid('home')
  return {
    api: running.pid('api') ?? home,
    broker: running.pid('broker') ?? home,
    database: running.pid('database') ?? (mongodbUri === null ? home : null),
    boards: running.pid('boards')
  }
}

/** Waits until the api is connected to its database and the broker. Before that it would refuse boards. */
async function whenConnected(url: string, clock: Timers, { say }: Progress): Promise<void> {
  let why = 'no answer'
  const isConnected = async (): Promise<boolean> => {
    try {
      const { status, text } = await localCall(url, { timeoutMs: 2000 })
      if (status === 200) return true
      why = text
    } catch (error) {
      why = messageOf(error)
    }
    return false
  }
  const sayStill = (): void => say(`The parts do not find each other yet: ${why} Waiting …`)
  if (!(await waitForStart(clock, isConnected, sayStill)))
    throw new LaunchError(`The parts do not find each other: ${why}`)
}
