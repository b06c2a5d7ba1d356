import { minuteMs } from '@batti/kit/durations'

/** A batch of entries to store. States are keyed, so that a newer state replaces one that is still waiting. */
export interface StoreBatch<Log, Command, State> {
  logs: Log[]
  commands: Command[]
  states: Map<string, State>
  /** Whether no state from before this batch is still waiting. */
  isWhole: boolean
}

/** Deferred states are written after this many log rows, or after `laterMs`, whichever comes first. */
const rowsBeforeStates = 5000
const laterMs = 8 * minuteMs

/**
 * Collects the next batch while another is being stored, and knows which states of both are not stored yet. `onLate` is
 * called when deferred states have waited for the maximum time.
 */
export function createBatchCollector<Log, Command, State>({ onLate }: { onLate(): void }) {
  let waiting = emptyBatch<Log, Command, State>()
  let underWay = emptyBatch<Log, Command, State>()
  /** Deferred states. */
  let later = new Map<string, State>()
  let isLaterDue = false
  let rowsSinceStates = 0
  let laterTimer: NodeJS.Timeout | undefined

  const size = (): number => waiting.logs.length + waiting.commands.length + waiting.states.size

  function takeLater(): void {
    clearTimeout(laterTimer)
    laterTimer = undefined
    isLaterDue = false
    rowsSinceStates = 0
    for (const [key, state] of later) waiting.states.set(key, state)
    later = new Map()
    waiting.isWhole = true
  }

  return {
    /** The number of entries in the next batch, without deferred states. */
    size,
    /** Whether anything is due: entries, or deferred states that have waited long enough. */
    isDue: (): boolean => size() > 0 || isLaterDue,
    hasLater: (): boolean => later.size > 0,
    /** Sets whether the next batch includes the deferred states. */
    takeLaterAlong(isWanted: boolean): void {
      isLaterDue = isWanted
    },
    addLog(row: Log): void {
      waiting.logs.push(row)
      rowsSinceStates += 1
      if (rowsSinceStates >= rowsBeforeStates) isLaterDue = true
    },
    addCommand: (row: Command): void => void waiting.commands.push(row),
    /** Adds a state to the next batch. The newest state of `key` wins. */
    setState(key: string, merge: (earlier: State | undefined) => State): void {
      waiting.states.set(key, merge(waiting.states.get(key) ?? later.get(key)))
      later.delete(key)
    },
    /** Defers a state to a later batch, or adds it to the next one if that already has a state of `key`. */
    setStateLater(key: string, merge: (earlier: State | undefined) => State): void {
      const next = waiting.states.get(key)
      if (next !== undefined) waiting.states.set(key, merge(next))
      else later.set(key, merge(later.get(key)))
      laterTimer ??= setTimeout(onLate, laterMs).unref()
    },
    /** Returns the state of `key` that is not known to be stored. */
    unstoredState(key: string): State | undefined {
      const [oldest, ...newer] = [underWay.states.get(key), later.get(key), waiting.states.get(key)]
      return newer.reduce((state, next) => (next === undefined ? state : { ...state, ...next }), oldest)
    },
    /** Takes the next batch. It counts as not stored until `noteStored`. */
    take(): StoreBatch<Log, Command, State> {
      if (isLaterDue) takeLater()
      underWay = waiting
      waiting = emptyBatch()
      return underWay
    },
    noteStored(): void {
      underWay = emptyBatch()
    }
  }
}

function emptyBatch<Log, Command, State>(): StoreBatch<Log, Command, State> {
  return { logs: [], commands: [], states: new Map(), isWhole: false }
}
