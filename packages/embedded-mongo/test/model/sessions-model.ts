/**
 * A minimal model of transactions over a few documents: each reads a snapshot from its start, the first writer of a document
 * or a unique key (`u`) owns it until its end, and a single write waits for it. It shares no code with the engine.
 */
export interface Thing {
  _id: number
  n: number
  u?: string
}
export type Write =
  | { kind: 'insert'; thing: Thing }
  | { kind: 'touch'; id: number; u: string | null }
  | { kind: 'remove'; id: number }

interface Transaction {
  start: Map<number, Thing>
  seen: Map<number, Thing>
  ids: Set<number>
  keys: Set<string>
}

const DUPLICATE = 11000
const CONFLICT = 112

export interface SessionsModel {
  isOpen(session: number): boolean
  start(session: number): void
  /** Returns the number of written documents, or the code of the error that ends the transaction. */
  write(session: number, write: Write): number
  /** The same for a write without a transaction; null while it waits for one. */
  single(write: Write): number | null
  commit(session: number): void
  rollBack(session: number): void
  /** Returns what a transaction sees, or (null) everybody. */
  things(session: number | null): Thing[]
}

const idOf = (write: Write): number => (write.kind === 'insert' ? write.thing._id : write.id)

export function createSessionsModel(): SessionsModel {
  let live = new Map<number, Thing>()
  const open = new Map<number, Transaction>()

  const isOwned = (by: 'ids' | 'keys', what: number | string, except?: Transaction): boolean =>
    [...open.values()].some((other) => other !== except && (other[by] as Set<number | string>).has(what))
  const holder = (things: Map<number, Thing>, u: string): number | undefined =>
    [...things.values()].find((thing) => thing.u === u)?._id

  /** Returns the new version of the document; null when it is removed. */
  const outcome = (write: Write, before: Thing | undefined): Thing | null => {
    if (write.kind === 'insert') return write.thing
    if (write.kind === 'remove') return null
    const { u: _, ...rest } = before ?? { _id: write.id, n: 0 }
    return { ...rest, n: rest.n + 1, ...(write.u === null ? {} : { u: write.u }) }
  }
  const lay = (things: Map<number, Thing>, id: number, after: Thing | null): void => {
    if (after) things.set(id, after)
    else things.delete(id)
  }

  /** Returns the error code why a transaction may not write this, or 0. */
  const refusal = (own: Transaction, id: number, write: Write, after: Thing | null): number => {
    if (write.kind === 'insert' && own.seen.has(id)) return DUPLICATE
    if (isOwned('ids', id, own)) return CONFLICT
    if (!own.ids.has(id) && live.get(id) !== own.start.get(id)) return CONFLICT
    const u = after?.u
    if (u === undefined) return 0
    if ((holder(own.seen, u) ?? id) !== id) return DUPLICATE
    if (isOwned('keys', u, own)) return CONFLICT
    const now = holder(live, u) ?? id
    return now !== id && !own.ids.has(now) ? CONFLICT : 0
  }

  return {
    isOpen: (session) => open.has(session),
    start: (session) =>
      void open.set(session, { start: new Map(live), seen: new Map(live), ids: new Set(), keys: new Set() }),
    write: (session, write) => {
      const own = open.get(session)
      const id = idOf(write)
      if (!own || (write.kind !== 'insert' && !own.seen.has(id))) return 0
      const after = outcome(write, own.seen.get(id))
      const code = refusal(own, id, write, after)
      if (code > 0) {
        open.delete(session)
        return code
      }
      lay(own.seen, id, after)
      own.ids.add(id)
      if (after?.u !== undefined) own.keys.add(after.u)
      return 1
    },
    single: (write) => {
      const id = idOf(write)
      if (write.kind !== 'insert' && !live.has(id)) return 0
      const after = outcome(write, live.get(id))
      const u = after?.u
      if (isOwned('ids', id) || (u !== undefined && isOwned('keys', u))) return null
      if (write.kind === 'insert' && live.has(id)) return DUPLICATE
      if (u !== undefined && (holder(live, u) ?? id) !== id) return DUPLICATE
      lay(live, id, after)
      return 1
    },
    commit: (session) => {
      const own = open.get(session)
      open.delete(session)
      live = new Map(live)
      for (const id of own?.ids ?? []) lay(live, id, own?.seen.get(id) ?? null)
    },
    rollBack: (session) => void open.delete(session),
    things: (session) =>
      [...((session === null ? null : open.get(session)?.seen) ?? live).values()].toSorted((a, b) => a._id - b._id)
  }
}
