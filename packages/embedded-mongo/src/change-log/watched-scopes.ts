import { dayMs, hourMs } from '@batti/kit/durations'
import type { Store } from '../storage/store.ts'
import { scopeName, scopesOf, type Scope } from './scope.ts'

const KEEP_SCOPE_MS = dayMs
/** Minimum interval between stored uses of a scope. */
const TOUCH_MS = hourMs

/** The scopes that change streams read, each from the first `watch` until a day after its last read. */
export interface WatchedScopes {
  /** Reads them from the file again, after a rollback. */
  load(): void
  contain(namespace: string): boolean
  /** Returns the places in the log since which a scope is watched, itself or as a part of a wider one. */
  since(scope: Scope): number[]
  watch(scope: Scope, since: number): void
  /** Records that a scope is being read, so that it stays watched. */
  touch(scope: Scope): void
  /** Stops watching scopes that were not read for a day. A wall clock that jumped ahead ends none that is being read. */
  prune(): void
}

export function createWatchedScopes({
  store,
  now,
  monotonic
}: {
  store: Store
  now: () => number
  monotonic: () => number
}): WatchedScopes {
  const { writer } = store
  let scopes = new Map<string, { since: number; used: number }>()
  /** When this process last read each scope, on the monotonic clock. */
  const readAt = new Map<string, number>()

  const load = (): void => {
    scopes = new Map(
      writer
        .all('SELECT scope, since, used FROM watches')
        .map(([scope, since, used]) => [String(scope), { since: Number(since), used: Number(used) }])
    )
  }
  load()

  return {
    load,
    contain: (namespace) => scopes.size > 0 && scopesOf(namespace).some((scope) => scopes.has(scope)),
    since: (scope) => {
      const wide =
        scope.kind === 'collection' ? scopesOf(scope.name) : scope.kind === 'database' ? [scopeName(scope), '*'] : ['*']
      return wide.flatMap((name) => scopes.get(name)?.since ?? [])
    },
    watch: (scope, since) => {
      const name = scopeName(scope)
      if (scopes.has(name)) return
      scopes.set(name, { since, used: now() })
      store.write(() =>
        writer.run('INSERT OR REPLACE INTO watches(scope, since, used) VALUES(?, ?, ?)', name, since, now())
      )
    },
    touch: (scope) => {
      const name = scopeName(scope)
      const known = scopes.get(name)
      if (!known) return
      readAt.set(name, monotonic())
      if (now() - known.used < TOUCH_MS) return
      known.used = now()
      store.write(() => writer.run('UPDATE watches SET used = ? WHERE scope = ?', now(), name))
    },
    prune: () => {
      for (const [name, { used }] of scopes) {
        const unreadMs = Math.min(now() - used, monotonic() - (readAt.get(name) ?? -Infinity))
        if (unreadMs <= KEEP_SCOPE_MS) continue
        scopes.delete(name)
        readAt.delete(name)
        store.write(() => writer.run('DELETE FROM watches WHERE scope = ?', name))
      }
    }
  }
}
