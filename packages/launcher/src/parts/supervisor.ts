import type { Clock } from '@batti/kit/clock'
import { createSupervisedProcess, type SupervisedProcess, type SupervisedProcessDeps } from './supervised-process.ts'
import type { Part, PartName } from './parts.ts'

export interface Supervisor {
  /** Starts parts that need nothing of each other, at once; resolves when all are ready. @throws LaunchError of the first that is not. */
  start(parts: readonly Part[], onLine?: (part: Part, line: string) => void): Promise<void>
  pid(name: PartName): number | null
  pids(): { name: PartName; pid: number }[]
  /** Stops everything in the reverse of its start, within 5 s and what the parts drain, whatever it takes. */
  stop(): Promise<void>
  killAll(): void
}

/** All of it together; each part may use what the ones after it leave. */
const stopWithinMs = 4000
/** What every part that is still to come may count on. */
const reservedMs = 500

export function createSupervisor(
  parts: Pick<SupervisedProcessDeps, 'logFolder' | 'compileCache' | 'clock' | 'random' | 'say'> & { changed(): void }
): Supervisor {
  const { clock } = parts
  let supervisedParts: SupervisedProcess[] = []

  return {
    async start(table, onLine) {
      const started = table.map((part) =>
        createSupervisedProcess(part, {
          ...parts,
          ...(onLine === undefined ? {} : { onLine: (line) => onLine(part, line) })
        })
      )
      supervisedParts = [...supervisedParts, ...started]
      await Promise.all(started.map((supervised) => supervised.start()))
    },
    pid: (name) => supervisedParts.find(({ part }) => part.name === name)?.pid() ?? null,
    pids: () =>
      supervisedParts.flatMap((supervised) => {
        const pid = supervised.pid()
        return pid === null ? [] : [{ name: supervised.part.name, pid }]
      }),
    stop: () => stopInOrder(supervisedParts.toReversed(), clock),
    killAll() {
      for (const supervised of supervisedParts) supervised.kill()
    }
  }
}

async function stopInOrder(supervisedParts: readonly SupervisedProcess[], clock: Clock): Promise<void> {
  let deadline = clock.monotonic() + stopWithinMs
  for (const [index, supervised] of supervisedParts.entries()) {
    const { drainMs = 0 } = supervised.part
    const later = supervisedParts.length - index - 1
    const askedAt = clock.monotonic()
    await supervised.stop(drainMs + Math.max(reservedMs, deadline - askedAt - later * reservedMs))
    // A drain takes nothing from the others, and leaves them nothing.
    deadline += Math.min(drainMs, clock.monotonic() - askedAt)
  }
}
