import { withoutControlCharacters } from '@batti/contracts'
import { addressGroup } from '@batti/kit/address'
import { dayMs } from '@batti/kit/durations'
import { createRecent } from '@batti/kit/recent'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import type { Refusal } from '../../platform/events.ts'
import { createLimitByKey } from '../../platform/limit-by-key.ts'
import type { RefusalHours } from './refusal-hours.ts'
import type { CountedRefusal, UnauthorizedLogsRepository } from './unauthorized-logs.repository.ts'

export interface RefusalCounter {
  /** Counts in memory, so that a flood costs almost nothing. */
  record(refusal: Refusal): void
  /** Stores the counts. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const keptMs = 90 * dayMs
const rowsMax = 50_000
/** The most distinct (address, method, path) kept between two writes. */
const waitingMax = 5000
const gatherMs = 300
const overflowUrl = '(other)'
/** Rows that one address adds: more than there are calls. What it makes up beyond that is counted together. */
const rowsOfOne = { perSecond: 100 / (dayMs / 1000), burst: 300 }
const rememberedMax = 10_000
/** The longest path, topic or user agent that is shown. */
const longest = 256

/** Returns when rows of an address expire, which is not before its block does: null for never. */
export const expiryOf = (blockedUntil: number | null | undefined, now: number): number | null =>
  blockedUntil === null ? null : Math.max(blockedUntil ?? 0, now + keptMs)

/**
 * Returns the path without its query, which may contain tokens. Ids are folded, so that one guarded route is one row
 * however many ids somebody tries.
 */
export function countedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  return countedText(path.replaceAll(/\/[0-9a-f]{24}(?=\/|$)/gi, '/{id}'))
}

/** Returns a topic or event as sent: `#` does not start a fragment here, and the board's id matters. */
function countedText(text: string): string {
  const plain = withoutControlCharacters(text)
  return plain.length <= longest ? plain : `${withoutControlCharacters(plain.slice(0, longest - 1))}…`
}

export function createRefusalCounter(deps: {
  logs: UnauthorizedLogsRepository
  hours: Pick<RefusalHours, 'add'>
  /** When the block of an address ends: null for never, undefined if it is not blocked. */
  blockedUntil(ip: string): number | null | undefined
  clock: Clock
  log: Logger
}): RefusalCounter {
  const { logs, clock, log } = deps
  const mayAdd = createLimitByKey(rowsOfOne, clock.monotonic)
  const added = createRecent<true>(rememberedMax)
  let waiting = new Map<string, CountedRefusal>()
  let storing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function store(batch: CountedRefusal[]): Promise<void> {
    const now = clock.now()
    const room = rowsMax - (await logs.count())
    // Beyond the cap, an address gets one row for everything.
    const rowsToStore = room >= batch.length ? batch : batch.map((refusal) => ({ ...refusal, url: overflowUrl }))
    await deps.hours.add(batch.map(({ attempts, timestamp }) => ({ attempts, at: timestamp })))
    await logs.add(rowsToStore.map((row) => ({ ...row, expiresAt: expiryOf(deps.blockedUntil(row.ip), now) })))
  }

  const flush = (): Promise<void> => {
    const batch = [...waiting.values()]
    clearTimeout(timer)
    timer = undefined
    if (batch.length > 0) {
      waiting = new Map()
      storing = storing
        .then(() => store(batch))
        .catch((error: unknown) => log.warn({ err: error, lost: batch.length }, 'refusals could not be stored'))
    }
    return storing
  }

  return {
    record({ ip: address, method, url, userAgent }) {
      const ip = addressGroup(address)
      const counted = method === 'MQTT' || method === 'SOCKET' ? countedText : countedPath
      const keyOf = (path: string): string => `${ip} ${method} ${path}`
      const own = waiting.size < waitingMax ? counted(url) : overflowUrl
      const path = added.get(keyOf(own)) === true || mayAdd(ip) ? own : overflowUrl
      const key = keyOf(path)
      added.keep(key, true)
      const known = waiting.get(key)
      const timestamp = clock.now()
      const agent = withoutControlCharacters(userAgent.slice(0, longest))
      if (known !== undefined) Object.assign(known, { attempts: known.attempts + 1, timestamp, userAgent: agent })
      else if (waiting.size < waitingMax * 2) {
        waiting.set(key, { ip, method, url: path, userAgent: agent, attempts: 1, timestamp })
        timer ??= setTimeout(() => void flush(), gatherMs).unref()
      }
    },
    flush,
    async stop() {
      clearTimeout(timer)
      await flush()
    }
  }
}
