import { startProduct, type Product } from '@batti/launcher/testing/start-product'

/** Turns off the rate limits, which would distort a benchmark. */
export const limitsOff = {
  LIMIT_COMMANDS: '0',
  LIMIT_JOINS: '0',
  LIMIT_REPORTS: '0',
  LIMIT_LOG_ROWS: '0',
  LIMIT_CLAIMS: '0',
  LIMIT_DEVICE_REFUSALS: '0',
  LIMIT_BOARDS: '0',
  LIMIT_CALLS: '0',
  LIMIT_SOCKETS: '0',
  MQTT_PACKETS_PER_SECOND: '0'
}

/** Starts the product normally, but without rate limits, and with only the admin account. */
export const startUnlimited = (env: Record<string, string> = {}): Promise<Product> =>
  startProduct({ empty: true, env: { LOG_LEVEL: 'warn', ...limitsOff, ...env } })

/** Returns the processes of api, broker and database, each once. */
export const serversOf = (product: Product): number[] => [...partsBy(product).keys()]

/** Returns the names of the parts by process, which may be one for all. */
export function partsBy({ pids: { api, broker, database } }: Product): Map<number, string[]> {
  const parts = new Map<number, string[]>()
  for (const [name, pid] of Object.entries({ api, broker, database })) parts.set(pid, [...(parts.get(pid) ?? []), name])
  return parts
}
