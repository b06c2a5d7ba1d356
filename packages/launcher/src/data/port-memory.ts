import { defaultHttpPort } from '@batti/contracts/constants'
import { isReadableFile } from '@batti/kit/node/files'
import { realpathSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort, portOrAnother } from '../ports.ts'
import { readJsonObject, writePrivateFile } from './private-file.ts'

const usualWallPort = 49_980
const largestPort = 65_535
/** Older ports than this many are forgotten. */
const rememberedPorts = 4

/** Ports that a data folder was used with. `mqtt` holds, newest first, the broker ports that its boards have stored. */
export interface KnownPorts {
  wall: number | null
  mqtt: number[]
  /** The folder that this one is a copy of, while that exists. Its ports must not be used here. Null for no copy. */
  origin: { folder: string; mqtt: readonly number[] } | null
}

const portsFile = (data: string): string => join(data, 'ports.json')

export function readKnownPorts(data: string): KnownPorts {
  const { folder, ...ports } = readPorts(data)
  const isCopy = folder !== null && folder !== realpathSync(data) && isReadableFile(portsFile(folder))
  if (!isCopy) return { ...ports, origin: null }
  const { wall, mqtt } = readPorts(folder)
  return { wall: ports.wall === wall ? null : ports.wall, mqtt: ports.mqtt, origin: { folder, mqtt } }
}

function readPorts(data: string): { wall: number | null; mqtt: number[]; folder: string | null } {
  const { wall, mqtt, folder } = readJsonObject(portsFile(data)) ?? {}
  return {
    wall: isPort(wall) ? wall : null,
    mqtt: Array.isArray(mqtt) ? mqtt.filter(isPort) : [],
    folder: typeof folder === 'string' ? folder : null
  }
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= largestPort

export function writeKnownPorts(data: string, known: KnownPorts, used: { wall: number; mqtt: number }): void {
  const mqtt = [used.mqtt, ...known.mqtt.filter((port) => port !== used.mqtt)].slice(0, rememberedPorts)
  const folder = known.origin?.folder ?? realpathSync(data)
  writePrivateFile(portsFile(data), `${JSON.stringify({ wall: used.wall, mqtt, folder })}\n`)
}

/** Returns the original folder if the boards of this copy would connect to the original's broker; else null. */
export const whoseBoards = ({ origin }: KnownPorts, mqttPort: number): string | null =>
  origin !== null && origin.mqtt.some((port) => port !== mqttPort) ? origin.folder : null

/** Chooses the port of the wall: the known one again, else the default, or a free one beside a default installation. */
export function chooseWallPort(known: KnownPorts, httpPort: number): Promise<number> {
  if (known.wall !== null) return portOrAnother(known.wall)
  return httpPort === defaultHttpPort ? portOrAnother(usualWallPort) : freePort()
}

/** Chooses a free port for the broker: the one of the last start again, because boards keep it in their flash. */
export function chooseMqttPort(known: KnownPorts, host: string, httpPort: number): Promise<number> {
  const last = known.mqtt.find((port) => port !== httpPort && known.origin?.mqtt.includes(port) !== true)
  return last === undefined ? freePort(host) : portOrAnother(last, host)
}

export interface Forwards {
  /** Old ports that could not be opened because another program has them. */
  readonly lost: readonly number[]
  close(): void
}

/**
 * Forwards the broker's earlier ports to its present one, because boards keep the address in their flash. A copy does not
 * open the ports of its original, which could then not start.
 */
export async function forwardOldPorts(known: KnownPorts, mqttPort: number): Promise<Forwards> {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const lost: number[] = []
  const others = [mqttPort, ...(known.origin?.mqtt ?? [])]
  for (const port of known.mqtt.filter((old) => !others.includes(old))) {
    const server = createServer((inbound) => connectBoth(inbound, connect(mqttPort, '127.0.0.1'), sockets))
    const isOpen = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isOpen) servers.push(server)
    else lost.push(port)
  }
  return {
    lost,
    close() {
      for (const server of servers) server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}

function connectBoth(one: Socket, other: Socket, sockets: Set<Socket>): void {
  for (const [from, to] of [
    [one, other],
    [other, one]
  ] as const) {
    sockets.add(from)
    from.setNoDelay(true)
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
}
