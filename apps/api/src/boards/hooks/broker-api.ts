import { brokerClientList, brokerClientsPath, deviceClientId, deviceIdOfClient } from '@batti/contracts'
import type { Logger } from 'pino'

const timeoutMs = 3000
const attempts = 3

const listLimit = 10_000

/** The broker's management, as far as the api needs it: who is connected from where, and ending a connection now. */
export function createBrokerApi({ url, secret, log }: { url: string; secret: string; log: Logger }) {
  const ask = (path: string, method: 'GET' | 'DELETE'): Promise<Response> =>
    fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(timeoutMs)
    })

  /** Ends a board's connection; tried a few times, because a revoked credential must not keep its line. */
  async function closeConnection(deviceId: string): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        const answer = await ask(`${brokerClientsPath}/${deviceClientId(deviceId)}`, 'DELETE')
        // 404: it was not connected.
        if (answer.ok || answer.status === 404) return
        log.error({ deviceId, status: answer.status }, 'the broker refused to end a connection')
      } catch (error) {
        log.error({ err: error, deviceId, attempt }, 'the broker could not be asked to end a connection')
      }
    }
  }

  /** Ids of the boards that are connected from an address; none where the broker cannot be asked. */
  async function connectedFrom(ip: string): Promise<string[]> {
    try {
      const query = new URLSearchParams({ ip_address: ip, limit: String(listLimit) })
      const answer = await ask(`${brokerClientsPath}?${query.toString()}`, 'GET')
      const { data } = brokerClientList.parse(await answer.json())
      return data.flatMap(({ clientid }) => deviceIdOfClient(clientid) ?? [])
    } catch (error) {
      log.error({ err: error, ip }, 'the broker could not be asked who is connected')
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
