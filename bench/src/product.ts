import { startProduct, type Product } from '@batti/launcher/testing/start-product'

/** What keeps strangers from being too fast would keep a benchmark from measuring. */
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

/** Starts the product as anybody would, its limits off and nobody in it but the admin. */
export const startUnlimited = (env: Record<string, string> = {}): Promise<Product> =>
  startProduct({ empty: true, env: { LOG_LEVEL: 'warn', ...limitsOff, ...env } })

/** What serves: api, broker and database, each process once. */
export const serversOf = (product: Product): number[] => [...partsBy(product).keys()]

/** By their process, which may be one for all: names of the parts in it. */
export function partsBy({ pids: { api, broker, database } }: Product): Map<number, string[]> {
  const parts = new Map<number, string[]>()
  for (const [name, pid] of Object.entries({ api, broker, database })) parts.set(pid, [...(parts.get(pid) ?? []), name])
  return parts
}
