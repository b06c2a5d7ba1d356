import type { Logger } from 'pino'
import type { Cluster } from './cluster.ts'

/** One listener for each kind of message. Neither an invalid message nor a listener that fails ends the process. */
export function createMessageListeners(log: Pick<Logger, 'warn' | 'error'>) {
  const listeners = new Map<string, (payload: unknown) => void>()

  const on: Cluster['on'] = (kind, schema, listener) => {
    listeners.set(kind, (payload) => {
      const { success, data, error } = schema.safeParse(payload)
      if (success) listener(data)
      else log.warn({ kind, err: error }, 'a message of another instance is invalid')
    })
  }

  return {
    on,
    hear(kind: string, payload: unknown): void {
      try {
        listeners.get(kind)?.(payload)
      } catch (error) {
        log.error({ err: error, kind }, 'a message of another instance could not be handled')
      }
    }
  }
}
