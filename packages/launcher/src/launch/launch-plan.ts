import { hostname, networkInterfaces } from 'node:os'
import type { Account } from './closing-block.ts'
import type { Settings } from '../config.ts'
import { houseAddresses } from './lan.ts'
import type { LaunchCertificates } from '../certificates/launch-certificates.ts'
import { choosePorts, databasePort } from './launch-ports.ts'
import type { LaunchOptions } from './options.ts'
import type { PartsPlan } from '../parts/parts.ts'
import { readKnownPorts, whoseBoards } from '../data/port-memory.ts'
import { inStep, type Progress } from './progress.ts'
import type { Secrets } from '../data/secrets.ts'
import { buildWeb, isWebBuilt } from './web-build.ts'

/** What is known before the database is: the plan of the parts, and of the network. */
export interface LaunchPlan extends Omit<PartsPlan, 'mongodbUri'> {
  admin: Account
  isLan: boolean
  /** The address of this machine in the house; null without `--lan` and without one. */
  house: string | null
}

interface PlanParts {
  options: LaunchOptions
  settings: Settings
  root: string
  secrets: Secrets
  admin: Account
  certificates: LaunchCertificates
  progress: Progress
}

/** Where people open the web app. */
export const webAt = (host: string, { ports, dev }: Pick<PartsPlan, 'ports' | 'dev'>): string =>
  `http://${host}:${dev ? ports.vite : ports.http}`

/**
 * What the parts need to know of one another, and of this machine. The web app is built and the certificates are made on
 * the way. @throws LaunchError for a port that is taken and a web app that does not build.
 */
export async function planLaunch(parts: PlanParts): Promise<LaunchPlan> {
  const { options, settings, root, secrets, admin, certificates } = parts
  const { data, dev, lan: isLan } = options
  const host = isLan ? '0.0.0.0' : '127.0.0.1'
  const known = readKnownPorts(data)
  const ports = await choosePorts({
    options,
    host,
    known,
    metricsPort: settings.env['METRICS_PORT']
  })
  await prepareWeb(parts)
  const houses = isLan ? houseAddresses(networkInterfaces()) : []
  const house = houses[0] ?? null
  return {
    root,
    data,
    host,
    publicUrl: webAt(house ?? '127.0.0.1', { ports, dev }),
    ports,
    certificates: await certificates.prepare(houses),
    secrets,
    production: settings.production,
    hasMailServer: settings.hasMailServer,
    dev,
    oneProcess: isOneProcess(parts) ? { databasePort: await databasePort(data) } : null,
    boardsOf: whoseBoards(known, ports.mqtt),
    admin,
    isLan,
    house,
    houseHosts: isLan ? [...houses, hostname(), `${hostname()}.local`] : [],
    env: settings.env
  }
}

/** A part that starts again when its code changes has a process of its own. */
const isOneProcess = ({ options, settings }: PlanParts): boolean => settings.oneProcess === '1' && !options.dev

async function prepareWeb({ options, settings, root, progress }: PlanParts): Promise<void> {
  if (options.dev || settings.webDir !== null || isWebBuilt(root)) return
  await inStep(progress, 'Building the web app', () => buildWeb(root, settings.env))
}
