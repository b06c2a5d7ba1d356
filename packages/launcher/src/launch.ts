import { readyPath } from '@batti/contracts/http/own-paths'
import { randomBytes } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { ensureCertificates, renewDaily, warningOfCa, type CertificateFiles } from './certificates.ts'
import type { Timers } from '@batti/kit/clock'
import type { Account, Summary } from './closing-block.ts'
import type { Settings } from './config.ts'
import { takeDataFolder, explainFullDisk } from './data-folder.ts'
import { beginHome } from './home-kind.ts'
import { knownAccounts } from './known-accounts.ts'
import { houseAddresses } from './lan.ts'
import { accountsOf, adminOf } from './launch-accounts.ts'
import { LaunchError } from './launch-error.ts'
import { choosePorts, databasePort } from './launch-ports.ts'
import { notesOfNetwork, summaryOf, webAt, type LaunchPlan } from './launch-summary.ts'
import { localCall, localUrl } from './local-call.ts'
import type { LaunchOptions } from './options.ts'
import { databasePart, databaseUri, partsOf, type Part } from './parts.ts'
import { waitForStart } from './start-deadline.ts'
import { forwardOldPorts, readKnownPorts, writeKnownPorts, type Forwards } from './port-memory.ts'
import { inStep, type Progress } from './progress.ts'
import { createRunRecord } from './run-record.ts'
import { readSecrets, type Secrets } from './secrets.ts'
import { notesOfMove } from './upkeep/moved.ts'
import { fillHome } from './fill-home.ts'
import { createSupervisor } from './supervisor.ts'
import { buildWeb, isWebBuilt } from './web-build.ts'

export interface LaunchParts {
  options: LaunchOptions
  settings: Settings
  root: string
  clock: Timers
  progress: Progress
  /** Text of a QR code for the terminal. */
  drawQr(url: string): Promise<string>
}

export interface Launch {
  /** Brings everything up. @throws LaunchError in a sentence. */
  start(): Promise<Summary>
  /** Stops everything within 5 s, and `DRAIN_MS` where it is set; also half-way through a start. */
  stop(): Promise<void>
  /** Ends everything at once. */
  kill(): void
}

export function createLaunch({ options, settings, root, clock, progress, drawQr }: LaunchParts): Launch {
  const { data } = options
  const { production } = settings
  const host = options.lan ? '0.0.0.0' : '127.0.0.1'
  const record = createRunRecord(data, process.pid)
  // A part that starts again when its code changes has a process of its own.
  const isOneProcess = settings.oneProcess === '1' && !options.dev
  let hasFolder = false
  let isNoted = true
  let forwards: Forwards | null = null
  let database: string | null = null
  let stopRenewal = (): void => undefined
  const supervisor = createSupervisor({
    logFolder: join(data, 'logs'),
    compileCache: join(root, 'node_modules/.cache/node'),
    clock,
    random: Math.random,
    say: (line) => progress.say(line),
    changed: () => noteRun()
  })

  /** A disk that is full costs the record, not the home. */
  function noteRun(): void {
    const wasNoted = isNoted
    try {
      record.note(
        supervisor.pids().map(({ pid }) => pid),
        database
      )
      isNoted = true
    } catch (error) {
      isNoted = false
      const why = error instanceof Error ? error.message : String(error)
      if (wasNoted) progress.say(`Which processes run could not be noted: ${why}`)
    }
  }

  async function prepareWeb(): Promise<void> {
    if (options.dev || settings.webDir !== null || isWebBuilt(root)) return
    await inStep(progress, 'Building the web app', () => buildWeb(root, settings.env))
  }

  async function prepareCertificates(): Promise<CertificateFiles> {
    const own = settings.ownCertificate
    if (own !== null) return { ...own, caFile: own.caFile ?? '' }
    const step = progress.step('Certificates')
    const { MQTT_PUBLIC_HOST: publicHost } = settings.env
    const addresses = [
      ...(options.lan ? houseAddresses(networkInterfaces()) : []),
      ...(publicHost === undefined ? [] : [publicHost])
    ]
    const files = await ensureCertificates({ folder: join(data, 'certs'), addresses, now: clock.now() })
    step.done(files.made ? 'made' : 'are good')
    const warning = warningOfCa(files.caFile, clock.now())
    if (warning !== null) progress.say(warning)
    stopRenewal = renewDaily({ clock, folder: join(data, 'certs'), addresses, say: (line) => progress.say(line) })
    return files
  }

  function hearDatabase(part: Part, line: string): void {
    const uri = part.name === 'database' || part.name === 'home' ? databaseUri(line) : null
    if (uri === null || uri === database) return
    database = uri
    noteRun()
  }

  async function startDatabase(): Promise<string> {
    if (settings.mongodbUri !== null) return settings.mongodbUri
    const part = databasePart({ root, data, port: await databasePort(data), env: settings.env })
    await supervisor.start([part], hearDatabase)
    if (database === null) throw new LaunchError('The database did not say where it is.')
    return database
  }

  /** What the parts need to know of one another, and of this machine. */
  async function planParts(secrets: Secrets, admin: Account): Promise<LaunchPlan> {
    const ports = await choosePorts({
      options,
      host,
      known: readKnownPorts(data),
      metricsPort: settings.env['METRICS_PORT']
    })
    await prepareWeb()
    const { lan: isLan, dev } = options
    const houses = isLan ? houseAddresses(networkInterfaces()) : []
    const house = houses[0] ?? null
    return {
      root,
      data,
      host,
      publicUrl: webAt(house ?? '127.0.0.1', { ports, dev }),
      ports,
      certificates: await prepareCertificates(),
      secrets,
      production,
      hasMailServer: settings.hasMailServer,
      dev,
      oneProcess: isOneProcess ? { databasePort: await databasePort(data) } : null,
      admin,
      isLan,
      house,
      houseHosts: isLan ? [...houses, hostname(), `${hostname()}.local`] : [],
      env: settings.env
    }
  }

  /** Starts the parts, and answers when the api reaches its database and the broker. */
  async function startParts(plan: LaunchPlan): Promise<void> {
    if (!isOneProcess) database = await startDatabase()
    forwards = await forwardOldPorts(readKnownPorts(data), plan.ports.mqtt)
    const parts = partsOf({ ...plan, mongodbUri: isOneProcess ? settings.mongodbUri : database })
    await supervisor.start(parts, hearDatabase)
    await whenConnected(`${localUrl(plan.ports.http)}${readyPath}`, clock, progress)
  }

  async function start(): Promise<Summary> {
    takeDataFolder(data, record)
    hasFolder = true
    refuseHalfCertificate(settings.env)
    refuseUnknownSwitch(settings.oneProcess)
    const secrets = readSecrets({ folder: data, production, env: settings.env, randomBytes })
    const admin = adminOf(secrets, settings.env)
    const plan = await planParts(secrets, admin)
    const { ports } = plan
    const home = production ? ({ kind: 'empty', isFinished: true } as const) : beginHome(data, options.empty)
    const notes = [...(settings.mongodbUri === null ? notesOfMove(data) : []), ...notesOfNetwork(plan)]
    await inStep(progress, 'Starting', () => startParts(plan))
    if (!production) writeKnownPorts(data, readKnownPorts(data), ports)
    for (const port of forwards?.lost ?? [])
      notes.push(`Boards that were set up at port ${port} cannot find this broker: another program has that port.`)

    const isUnfinished = home.kind === 'demo' && !home.isFinished
    const canFill = isUnfinished && !production && !settings.hasMailServer
    if (canFill) notes.push(...(await fillHome({ data, secrets, ports, admin }, progress)))
    else if (isUnfinished)
      notes.push('A mail server is set, so no demo home was made: its people could not read their codes here.')
    const isDemo = home.kind === 'demo' && (home.isFinished || canFill)
    const planned = production ? [] : accountsOf(isDemo ? 'demo' : 'empty', secrets, admin)
    const accounts = await knownAccounts(planned, {
      base: localUrl(ports.http),
      internal: { base: localUrl(ports.internal), secret: secrets.INTERNAL_SECRET },
      file: join(data, 'known-accounts.json'),
      isOwn: ({ password }) => password !== settings.env['ADMIN_PASSWORD']
    })
    for (const { email } of planned.filter((account) => !accounts.includes(account)))
      notes.push(`${email} has no account here with the password of the settings.`)
    const houseUrl = plan.house === null ? null : webAt(plan.house, plan)
    return summaryOf(plan, {
      accounts,
      notes,
      house: houseUrl === null ? null : { url: houseUrl, qr: await drawQr(houseUrl) },
      pids: {
        api: supervisor.pid('api') ?? supervisor.pid('home'),
        broker: supervisor.pid('broker') ?? supervisor.pid('home'),
        database: supervisor.pid('database') ?? (settings.mongodbUri === null ? supervisor.pid('home') : null),
        boards: supervisor.pid('boards')
      }
    })
  }

  return {
    async start() {
      try {
        return await start()
      } catch (error) {
        throw explainFullDisk(error, data)
      }
    },
    async stop() {
      stopRenewal()
      await supervisor.stop()
      forwards?.close()
      if (hasFolder) record.release()
    },
    kill() {
      stopRenewal()
      supervisor.killAll()
      if (hasFolder) record.release()
    }
  }
}

/** Waits until the api reaches its database and the broker; boards would be told to come later otherwise. */
async function whenConnected(url: string, clock: Timers, { say }: Progress): Promise<void> {
  let why = 'no answer'
  const isConnected = async (): Promise<boolean> => {
    try {
      const { status, text } = await localCall(url, { timeoutMs: 2000 })
      if (status === 200) return true
      why = text
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
    }
    return false
  }
  const sayStill = (): void => say(`The parts do not find each other yet: ${why} Waiting …`)
  if (!(await waitForStart(clock, isConnected, sayStill)))
    throw new LaunchError(`The parts do not find each other: ${why}`)
}

/** @throws LaunchError: ours beside half of somebody's own would be neither. */
function refuseHalfCertificate(env: Settings['env']): void {
  const given = ['MQTT_TLS_CERT_FILE', 'MQTT_TLS_KEY_FILE'].filter((name) => env[name] !== undefined)
  if (given.length === 1)
    throw new LaunchError(`${given[0]} is set alone: a certificate needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE.`)
}

/** @throws LaunchError */
function refuseUnknownSwitch(oneProcess: string): void {
  if (!['0', '1'].includes(oneProcess)) throw new LaunchError(`ONE_PROCESS is 1 or 0, not “${oneProcess}”.`)
}
