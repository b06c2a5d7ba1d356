/** Something to store; `key` lets a later value for the same thing take the place of one still waiting. */
export interface StoreBatch<Log, Command, State> {
  logs: Log[]
  commands: Command[]
  states: Map<string, State>
  /** No state that was said before this batch waits any longer. */
  isWhole: boolean
}

/** States that may wait are written after so many rows of the log, or after `laterMs`, whichever is first. */
const rowsBeforeStates = 5000
const laterMs = 480_000

/**
 * Collects the next batch while another is stored, and knows what of both is not stored yet. `onLate`: states have waited
 * for as long as they may.
 */
export function createBatchCollector<Log, Command, State>({ onLate }: { onLate(): void }) {
  let waiting = emptyBatch<Log, Command, State>()
  let underWay = emptyBatch<Log, Command, State>()
  /** States that may wait. */
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
    /** Entries of the next batch, without the states that may wait. */
    size,
    /** Whether anything is due: entries, or states that have waited for long enough. */
    isDue: (): boolean => size() > 0 || isLaterDue,
    hasLater: (): boolean => later.size > 0,
    /** Whether the next batch takes along the states that may wait. */
    takeLaterAlong(isWanted: boolean): void {
      isLaterDue = isWanted
    },
    addLog(row: Log): void {
      waiting.logs.push(row)
      rowsSinceStates += 1
      if (rowsSinceStates >= rowsBeforeStates) isLaterDue = true
    },
    addCommand: (row: Command): void => void waiting.commands.push(row),
    /** Of the next batch. The newest state of `key` wins. */
    setState(key: string, merge: (earlier: State | undefined) => State): void {
      waiting.states.set(key, merge(waiting.states.get(key) ?? later.get(key)))
      later.delete(key)
    },
    /** Of a batch to come, or of the next where that has a state of `key` already. */
    setStateLater(key: string, merge: (earlier: State | undefined) => State): void {
      const next = waiting.states.get(key)
      if (next !== undefined) waiting.states.set(key, merge(next))
      else later.set(key, merge(later.get(key)))
      laterTimer ??= setTimeout(onLate, laterMs).unref()
    },
    /** What has been said of `key` and is not known to be stored. */
    unstoredState(key: string): State | undefined {
      const [oldest, ...newer] = [underWay.states.get(key), later.get(key), waiting.states.get(key)]
      return newer.reduce((state, next) => (next === undefined ? state : { ...state, ...next }), oldest)
    },
    /** What has been collected is on its way to the database until `noteStored`. */
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
