import { dataFolderAt, takesSocket } from '@batti/embedded-mongo/data-folder'
import { join } from 'node:path'
import type { LaunchOptions } from './options.ts'
import type { PartsPlan } from '../parts/parts.ts'
import { chooseMqttPort, chooseWallPort, type KnownPorts } from '../data/port-memory.ts'
import { chooseMetricsPort, freePort, portOrAnother, requirePort } from '../ports.ts'

const vitePort = 5173

/** Chooses the port of each part, and none for two of them. @throws LaunchError when a requested port is taken. */
export async function choosePorts(plan: {
  options: Pick<LaunchOptions, 'port' | 'mqttPort' | 'dev'>
  host: string
  known: KnownPorts
  /** From the settings. */
  metricsPort: string | undefined
}): Promise<PartsPlan['ports']> {
  const { options, host, known, metricsPort } = plan
  const chosen = new Set(options.mqttPort === 0 ? [] : [options.mqttPort])
  /** Returns the port, or a free one where another part has it: before the parts listen, it is free for all of them. */
  const apart = async (port: number, at?: string): Promise<number> => {
    const own = chosen.has(port) ? await freePort(at) : port
    chosen.add(own)
    return own
  }
  const http = await apart(await requirePort(host, options.port, '--port'), host)
  return {
    http,
    mqtt:
      options.mqttPort === 0
        ? await apart(await chooseMqttPort(known, host, http), host)
        : await requirePort(host, options.mqttPort, '--mqtt-port'),
    wall: await apart(await chooseWallPort(known, http)),
    metrics: metricsPort === undefined ? await apart(await chooseMetricsPort(http)) : Number(metricsPort),
    internal: await apart(await freePort()),
    brokerApi: await apart(await freePort()),
    vite: options.dev ? await apart(await portOrAnother(vitePort)) : 0
  }
}

/** Returns a free port for the database; null when it can use a socket in its folder. */
export async function databasePort(data: string): Promise<number | null> {
  return (await takesSocket(dataFolderAt(join(data, 'db')), data)) ? null : freePort()
}
