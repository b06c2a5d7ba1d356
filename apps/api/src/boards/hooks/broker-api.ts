import { addressGroup } from '@batti/kit/address'
import { connectedClients, deviceClientId, deviceIdOfClient } from '@batti/contracts'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'

const timeoutMs = 3000
const attempts = 3

const listLimit = 10_000

type BrokerApiSettings = Pick<
  Config,
  | 'BROKER_API_URL'
  | 'BROKER_API_PATH'
  | 'BROKER_API_AUTH'
  | 'BROKER_API_USER'
  | 'BROKER_API_PASSWORD'
  | 'INTERNAL_SECRET'
>

function authorizationOf(config: BrokerApiSettings): string {
  const { BROKER_API_USER: user = '', BROKER_API_PASSWORD: password } = config
  if (config.BROKER_API_AUTH === 'basic') return `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`
  return `Bearer ${password ?? config.INTERNAL_SECRET}`
}

/** The broker's management API, as far as the api needs it: lists clients by address, and ends connections. */
export function createBrokerApi({ config, log }: { config: BrokerApiSettings; log: Logger }) {
  const authorization = authorizationOf(config)
  const clients = config.BROKER_API_PATH
  const nodes = config.BROKER_API_URL
  const ask = (node: string, path: string, method: 'GET' | 'DELETE'): Promise<Response> =>
    fetch(`${node.replace(/\/+$/, '')}${path}`, {
      method,
      headers: { authorization },
      signal: AbortSignal.timeout(timeoutMs)
    })

  /**
   * Ends a board's connection. Retries a few times, because a revoked credential must not keep its connection. A cluster node
   * answers 404 for a board connected to another node, so every node is asked.
   */
  async function closeConnection(deviceId: string): Promise<void> {
    await Promise.all(nodes.map((node) => closeAt(node, deviceId)))
  }

  async function closeAt(node: string, deviceId: string): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        const answer = await ask(node, `${clients}/${deviceClientId(deviceId)}`, 'DELETE')
        // 404: the board was not connected there.
        if (answer.ok || answer.status === 404) return
        log.error({ deviceId, node, status: answer.status }, 'the broker refused to end a connection')
      } catch (error) {
        log.error({ err: error, deviceId, node, attempt }, 'the broker could not be asked to end a connection')
      }
    }
  }

  /** Returns the ids of the boards connected from an address or its IPv6 network; of a node that cannot be asked, none. */
  async function connectedFrom(ip: string): Promise<string[]> {
    const group = addressGroup(ip)
    const lists = await Promise.all(nodes.map((node) => connectedAt(node, group)))
    // A node may list the clients of the others as well.
    return [...new Set(lists.flat())]
  }

  async function connectedAt(node: string, group: string): Promise<string[]> {
    try {
      // The broker filters by single addresses only, so for a network all clients are requested.
      const asked = group.includes('/') ? {} : { ip_address: group }
      const query = new URLSearchParams({ ...asked, limit: String(listLimit) })
      const answer = await ask(node, `${clients}?${query.toString()}`, 'GET')
      const all = connectedClients.parse(await answer.json())
      const there = all.filter(
        ({ ip_address: address, connected }) => connected && address && addressGroup(address) === group
      )
      return there.flatMap(({ clientid }) => deviceIdOfClient(clientid) ?? [])
    } catch (error) {
      log.error({ err: error, node, address: group }, 'the broker could not be asked who is connected')
      return []
    }
  }

  return {
    closeConnection,
    connectedFrom,
    async closeAllFrom(ip: string): Promise<void> {
      await Promise.all((await connectedFrom(ip)).map(closeConnection))
    }
  }
}
