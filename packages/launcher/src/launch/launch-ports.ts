import { canHaveSocket, dataFolderAt } from '@batti/embedded-mongo/data-folder'
import { join } from 'node:path'
import type { LaunchOptions } from './options.ts'
import type { PartsPlan } from '../parts/parts.ts'
import { chooseMqttPort, chooseWallPort, type KnownPorts } from '../data/port-memory.ts'
import { chooseMetricsPort, freePort, portOrAnother, requirePort } from '../ports.ts'

const vitePort = 5173

/** Chooses the port of each part. @throws LaunchError when a requested port is taken. */
export async function choosePorts(plan: {
  options: LaunchOptions
  host: string
  known: KnownPorts
  /** From the settings. */
  metricsPort: string | undefined
}): Promise<PartsPlan['ports']> {
  const { options, host, known, metricsPort } = plan
  const http = await requirePort(host, options.port, '--port')
  const mqtt =
    options.mqttPort === 0
      ? await chooseMqttPort(known, host, http)
      : await requirePort(host, options.mqttPort, '--mqtt-port')
  return {
    http,
    mqtt,
    internal: await freePort(),
    brokerApi: await freePort(),
    metrics: await chooseMetricsPort(metricsPort, http),
    wall: await chooseWallPort(known, http),
    vite: options.dev ? await portOrAnother(vitePort) : 0
  }
}

/** Returns a free port for the database; null when it can use a socket in its folder. */
export async function databasePort(data: string): Promise<number | null> {
  return canHaveSocket(dataFolderAt(join(data, 'db'))) ? null : freePort()
}
