import { brokerClientsPath, deviceClientId } from '@batti/contracts'
import type { Logger } from 'pino'

const timeoutMs = 3000
const attempts = 3

/** The broker's management, as far as the api needs it: ending a connection now. */
export function createBrokerApi({ url, secret, log }: { url: string; secret: string; log: Logger }) {
  return {
    /** Ends a board's connection; tried a few times, because a revoked credential must not keep its line. */
    async closeConnection(deviceId: string): Promise<void> {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        try {
          const answer = await fetch(new URL(`${brokerClientsPath}/${deviceClientId(deviceId)}`, url), {
            method: 'DELETE',
            headers: { authorization: `Bearer ${secret}` },
            signal: AbortSignal.timeout(timeoutMs)
          })
          // 404: it was not connected.
          if (answer.ok || answer.status === 404) return
          log.error({ deviceId, status: answer.status }, 'the broker refused to end a connection')
        } catch (error) {
          log.error({ err: error, deviceId, attempt }, 'the broker could not be asked to end a connection')
        }
      }
    }
  }
}
