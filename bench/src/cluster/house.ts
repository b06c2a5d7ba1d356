import { createClient } from '@batti/client/client'
import { getDevice, listActionLogs } from '@batti/contracts'
import { logIn, type Api } from './apis.ts'
import type { BrokerName } from './brokers.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { connectClusterBoard, type ClusterBoard } from './cluster-board.ts'
import { openClusterScreen, type ClusterScreen } from './cluster-screen.ts'
import { until } from './programs.ts'

const boardCount = 8

/** Two apis with boards of one owner, and a screen at each. */
export interface House {
  cluster: Cluster
  a: Api
  b: Api
  /** Boards that stay to the end. */
  boards: ClusterBoard[]
  /** Each of these is for one step, which it is named after. */
  vanishing: ClusterBoard
  curious: ClusterBoard
  revoked: ClusterBoard
  token: string
  here: ClusterScreen
  there: ClusterScreen
}

export async function openHouse(broker: BrokerName, env: Record<string, string>): Promise<House> {
  const cluster = await startCluster({ apis: 2, boards: boardCount, broker, env })
  try {
    return await moveIn(cluster)
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function moveIn(cluster: Cluster): Promise<House> {
  const [a, b] = cluster.apis
  if (a === undefined || b === undefined) throw new Error('two apis')
  const all = await Promise.all(cluster.boards.map((board) => connectClusterBoard(cluster.mqtt, board)))
  const token = await logIn(a.url, cluster.admin)
  const macs = all.map(({ mac }) => mac)
  for (const { url } of [a, b])
    for (const { deviceId } of all)
      await until(`board ${deviceId} is online at ${url}`, async () => {
        return (await createClient({ base: url, token }).call(getDevice, { params: { id: deviceId } })).isOnline
      })
  const [here, there] = [await openClusterScreen(a.url, token, macs), await openClusterScreen(b.url, token, macs)]
  const [vanishing, curious, revoked, ...boards] = all
  if (vanishing === undefined || curious === undefined || revoked === undefined) throw new Error('three boards')
  return { cluster, a, b, boards, vanishing, curious, revoked, token, here, there }
}

export async function closeHouse({ cluster, boards, vanishing, curious, revoked, here, there }: House): Promise<void> {
  for (const board of [...boards, vanishing, curious, revoked]) board.close()
  here.close()
  there.close()
  await cluster.stop()
}

export function same<Value>(what: string, found: Value, wanted: Value): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (one !== other) throw new Error(`${what}: ${one}, not ${other}`)
}

export const commandsOf = (screen: ClusterScreen): string[] =>
  screen.updates.flatMap(({ commandId }) => commandId ?? [])

/** Returns the number of rows in the action log. */
export async function countRows({ b, token }: Pick<House, 'b' | 'token'>): Promise<number> {
  return (await createClient({ base: b.url, token }).call(listActionLogs, { query: { limit: 1 } })).total
}
