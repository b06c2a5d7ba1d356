import type { Clock } from '@batti/kit/clock'
import { createKeeper, type Keeper, type KeeperParts } from './keeper.ts'
import type { Part, PartName } from './parts.ts'

export interface Supervisor {
  /** Starts parts that need nothing of each other, at once; resolves when all are ready. @throws LaunchError of the first that is not. */
  start(parts: readonly Part[], onLine?: (part: Part, line: string) => void): Promise<void>
  pid(name: PartName): number | null
  pids(): { name: PartName; pid: number }[]
  /** Stops everything in the reverse of its start, within 5 s, whatever it takes. */
  stop(): Promise<void>
  killAll(): void
}

/** All of it together; each part may use what the ones after it leave. */
const stopWithinMs = 4000
/** What every part that is still to come may count on. */
const reservedMs = 500

export function createSupervisor(
  parts: Pick<KeeperParts, 'logFolder' | 'compileCache' | 'clock' | 'random' | 'say'> & { changed(): void }
): Supervisor {
  const { clock } = parts
  let keepers: Keeper[] = []

  return {
    async start(table, onLine) {
      const started = table.map((part) =>
        createKeeper(part, { ...parts, ...(onLine === undefined ? {} : { onLine: (line) => onLine(part, line) }) })
      )
      keepers = [...keepers, ...started]
      await Promise.all(started.map((keeper) => keeper.start()))
    },
    pid: (name) => keepers.find(({ part }) => part.name === name)?.pid() ?? null,
    pids: () =>
      keepers.flatMap((keeper) => {
        const pid = keeper.pid()
        return pid === null ? [] : [{ name: keeper.part.name, pid }]
      }),
    stop: () => stopInTurn(keepers.toReversed(), clock),
    killAll() {
      for (const keeper of keepers) keeper.kill()
    }
  }
}

async function stopInTurn(keepers: readonly Keeper[], clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + stopWithinMs
  for (const [index, keeper] of keepers.entries()) {
    const later = keepers.length - index - 1
    await keeper.stop(Math.max(reservedMs, deadline - clock.monotonic() - later * reservedMs))
  }
}
