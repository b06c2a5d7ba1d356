import type { Clock } from '@batti/kit/clock'
import { createSupervisedProcess, type SupervisedProcess, type SupervisedProcessDeps } from './supervised-process.ts'
import type { Part, PartName } from './parts.ts'

export interface Supervisor {
  /** Starts independent parts in parallel. Resolves when all are ready. @throws LaunchError of the first that fails. */
  start(parts: readonly Part[], onLine?: (part: Part, line: string) => void): Promise<void>
  /** Starts a part anew, with its changed code. */
  renew(name: PartName): void
  pid(name: PartName): number | null
  pids(): { name: PartName; pid: number }[]
  /** Stops everything in reverse order within 5 s plus the drain times, and kills what does not stop. */
  stop(): Promise<void>
  killAll(): void
}

/** Total time for all parts. Each part may use all of it except the reserve of the parts after it. */
const stopWithinMs = 4000
/** Time that is reserved for each part that has not been stopped yet. */
const reservedMs = 500

export function createSupervisor(
  parts: Pick<SupervisedProcessDeps, 'logFolder' | 'compileCache' | 'clock' | 'random' | 'say' | 'lost'> & {
    changed(): void
  }
): Supervisor {
  const { clock } = parts
  let supervisedParts: SupervisedProcess[] = []
  const named = (name: PartName) => supervisedParts.find(({ part }) => part.name === name)

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
    renew: (name) => named(name)?.renew(),
    pid: (name) => named(name)?.pid() ?? null,
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
    // The time of a drain extends the deadline, so that it shortens no other part's time. Unused drain time is not passed on.
    deadline += Math.min(drainMs, clock.monotonic() - askedAt)
  }
}
