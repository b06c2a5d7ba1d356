import { addressGroup } from '@batti/kit/address'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import { afterCommit } from '../../platform/after-commit.ts'
import { createAddressList, namedNetworks } from '../../platform/address-list.ts'
import { addressBlocked } from '../../platform/app-error.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { EventBus } from '../../platform/events.ts'
import type { BlockedAddressDocument, BlockedAddressModel } from './unauthorized-log.model.ts'

/** Blocks of another instance apply here within this time, if it cannot announce them. */
const refreshMs = 700
/** Used while other instances announce their blocks. */
const notifiedRefreshMs = 10_000
/** Used by a single instance, which knows its own blocks. */
const aloneRefreshMs = minuteMs
const messageKind = 'address-blocks'

export interface AddressBlocks {
  isBlocked(ip: string): boolean
  /** Returns the currently blocked addresses. */
  all(): string[]
  /** Refuses a blocked address before anything else of its request is read. */
  guard: RequestHandler
  /** Returns when the block of an address ends: null for never, undefined if it is not blocked. */
  untilOf(ip: string): number | null | undefined
  /** The same as it is stored, for a change that depends on it. */
  storedUntilOf(ip: string): Promise<number | null | undefined>
  /** `until` in milliseconds; null for a permanent block. */
  block(ip: string, by: string, until: number | null): Promise<void>
  unblock(ip: string): Promise<void>
  /** Loads the list; called once before the first request. */
  load(): Promise<void>
  start(): void
  stop(): void
}

/** The list of blocked addresses, cached in memory. */
export function createAddressBlocks(deps: {
  model: BlockedAddressModel
  clock: Clock
  events: EventBus
  log: Logger
  isAlone: boolean
  cluster: Pick<Cluster, 'isUp' | 'publish' | 'on' | 'onMissed'>
}): AddressBlocks {
  const { model, clock, events, log, cluster } = deps
  /** The end of the block by address. */
  let blocked = new Map<string, number>()
  /** Counts the changes that were made here, and those that other instances told of. */
  let revision = 0
  /** When the list was last read from the database. */
  let lookedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  async function load(): Promise<void> {
    const readAt = revision
    lookedAt = clock.monotonic()
    const documents = await model.find({}, { _id: 1, until: 1 }).lean<BlockedAddressDocument[]>()
    // A read that began before a change may lack it.
    if (readAt !== revision) return load()
    const before = blocked
    blocked = new Map(documents.map(({ _id, until }) => [addressGroup(_id), until?.getTime() ?? Infinity]))
    for (const ip of blocked.keys()) if (!before.has(ip) && isBlocked(ip)) events.emit('address-blocked', { ip })
  }
  const endOf = (ip: string): number | undefined => {
    if (blocked.size === 0) return undefined
    const end = blocked.get(addressGroup(ip))
    return end !== undefined && end > clock.now() ? end : undefined
  }
  const isBlocked = (ip: string): boolean => endOf(ip) !== undefined

  let isBehind = false
  function refresh(): void {
    load().then(
      () => {
        if (isBehind) log.info('blocked addresses are refreshed again')
        isBehind = false
      },
      (error: unknown) => {
        if (!isBehind) log.warn({ err: error }, 'blocked addresses not refreshed')
        isBehind = true
      }
    )
  }

  function readChange(): void {
    revision += 1
    refresh()
  }
  cluster.on(messageKind, z.null(), readChange)
  cluster.onMissed(readChange)
  const isDue = (): boolean => !cluster.isUp() || clock.monotonic() - lookedAt >= notifiedRefreshMs

  /** Makes other instances read the list at once. */
  function noteChange(): void {
    revision += 1
    cluster.publish(messageKind, null)
  }

  return {
    isBlocked,
    all: () => [...blocked.keys()].filter(isBlocked),
    untilOf(ip) {
      const end = endOf(ip)
      return end === Infinity ? null : end
    },
    async storedUntilOf(ip) {
      const holds = { $or: [{ until: null }, { until: { $gt: new Date(clock.now()) } }] }
      const block = await model.findOne({ _id: addressGroup(ip), ...holds }).lean<BlockedAddressDocument>()
      return block === null ? undefined : (block.until?.getTime() ?? null)
    },
    guard(req, _res, next) {
      if (isBlocked(req.ip ?? '')) throw addressBlocked()
      next()
    },
    async block(ip, by, until) {
      const address = addressGroup(ip)
      const fields = { by, at: new Date(clock.now()), until: until === null ? null : new Date(until) }
      await model.updateOne({ _id: address }, { $set: fields }, { upsert: true })
      afterCommit(() => {
        noteChange()
        blocked.set(address, until ?? Infinity)
        events.emit('address-blocked', { ip: address })
      })
    },
    async unblock(ip) {
      const group = addressGroup(ip)
      // In older rows, a block names a single address of the network.
      const stored = await model.find({}, { _id: 1 }).lean<Pick<BlockedAddressDocument, '_id'>[]>()
      await model.deleteMany({ _id: { $in: stored.map(({ _id }) => _id).filter((id) => addressGroup(id) === group) } })
      afterCommit(() => {
        noteChange()
        blocked.delete(group)
      })
    },
    load,
    start() {
      const look = (): void => {
        if (isDue()) refresh()
      }
      timer ??= setInterval(look, deps.isAlone ? aloneRefreshMs : refreshMs).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** Matches addresses that must never be blocked: this machine's own, and proxies that everybody comes through. */
export function createNeverBlocked(trustProxy: readonly string[]): (ip: string) => boolean {
  const entries = ['loopback', ...trustProxy].flatMap((entry) => namedNetworks[entry] ?? [entry])
  const isListed = createAddressList(entries)
  // Blocking an IPv6 network would also block these addresses in it.
  const networks = new Set(entries.map((entry) => addressGroup(entry.split('/')[0] ?? '')))
  return (ip) => isListed(ip.replace(/\/64$/, '')) || (ip.endsWith('/64') && networks.has(ip))
}
