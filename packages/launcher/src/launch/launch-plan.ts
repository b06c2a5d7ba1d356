import { messageOf } from '@batti/kit/message-of'
import { hostname, networkInterfaces } from 'node:os'
import type { Account } from './closing-block.ts'
import { LaunchError } from '../launch-error.ts'
import type { Settings } from '../config.ts'
import { lanAddresses } from './lan.ts'
import type { LaunchCertificates } from '../certificates/launch-certificates.ts'
import { choosePorts, databasePort } from './launch-ports.ts'
import type { LaunchOptions } from './options.ts'
import { homeEnv, type PartsPlan } from '../parts/parts.ts'
import { readKnownPorts, whoseBoards } from '../data/port-memory.ts'
import { inStep, type Progress } from './progress.ts'
import type { Secrets } from '../data/secrets.ts'
import { buildWeb, isWebBuilt } from './web-build.ts'

/** The plan of the parts and the network. The address of the database is not known yet. */
export interface LaunchPlan extends Omit<PartsPlan, 'mongodbUri'> {
  admin: Account
  isLan: boolean
  /** This machine's address in the local network; null without `--lan`, or when there is none. */
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

/** Returns the URL of the web app. */
export const webAt = (host: string, { ports, dev }: Pick<PartsPlan, 'ports' | 'dev'>): string =>
  `http://${host}:${dev ? ports.vite : ports.http}`

/**
 * Collects what the parts need to know of each other and of this machine. Also builds the web app and makes the
 * certificates. @throws LaunchError for a port that is taken, a wrong setting, or a web app that does not build.
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
  const addresses = isLan ? lanAddresses(networkInterfaces()) : []
  const house = addresses[0] ?? null
  const plan = {
    root,
    data,
    host,
    publicUrl: webAt(house ?? '127.0.0.1', { ports, dev }),
    ports,
    certificates: await certificates.prepare(addresses),
    secrets,
    production: settings.production,
    hasMailServer: settings.hasMailServer,
    dev,
    oneProcess: isOneProcess(parts) ? { databasePort: await databasePort(data) } : null,
    boardsOf: whoseBoards(known, ports.mqtt),
    admin,
    isLan,
    house,
    houseHosts: isLan ? [...addresses, hostname(), `${hostname()}.local`] : [],
    env: settings.env
  }
  await prepareWeb(parts, plan)
  return plan
}

/** With `--dev` each part has its own process, because it restarts when its code changes. */
const isOneProcess = ({ options, settings }: PlanParts): boolean => settings.oneProcess === '1' && !options.dev

async function prepareWeb({ options, settings, root, progress }: PlanParts, plan: LaunchPlan): Promise<void> {
  if (options.dev || settings.webDir !== null || isWebBuilt(root)) return
  await refuseWrongSettings({ ...plan, mongodbUri: settings.mongodbUri ?? 'mongodb://127.0.0.1' })
  await inStep(progress, 'Building the web app', () => buildWeb(root, settings.env))
}

/** Reports before a long build what the parts would report when they start. Loaded on demand: few starts build. */
async function refuseWrongSettings(plan: PartsPlan): Promise<void> {
  const { readConfigs } = await import('../home/read-configs.ts')
  try {
    readConfigs(homeEnv(plan))
  } catch (error) {
    throw new LaunchError(messageOf(error))
  }
}
