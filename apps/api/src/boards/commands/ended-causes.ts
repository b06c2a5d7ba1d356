import type { ChangeCause } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'

interface CommandCause {
  id: string
  deviceId: string
  cause: ChangeCause
}

/** How long the cause of a timed-out command is kept: a late answer is still logged with who wanted it. */
const keptMs = minuteMs

/** Remembers who caused commands that have ended, for answers that come later. */
export function createEndedCauses(clock: Pick<Clock, 'monotonic'>) {
  /** The newest answered command of each board: some boards answer one command in several reports. */
  const answered = new Map<string, CommandCause>()
  /** By command, in the order in which they are forgotten. */
  const awaited = new Map<string, CommandCause & { forgetAt: number }>()
  return {
    find(deviceId: string, commandId: string): ChangeCause | undefined {
      const known = awaited.get(commandId) ?? answered.get(deviceId)
      return known?.id === commandId && known.deviceId === deviceId ? known.cause : undefined
    },
    noteAnswered: ({ id, deviceId, cause }: CommandCause): void => void answered.set(deviceId, { id, deviceId, cause }),
    /** Keeps the cause of a command whose answer is still to come. */
    keep({ id, deviceId, cause }: CommandCause): void {
      awaited.delete(id)
      awaited.set(id, { id, deviceId, cause, forgetAt: clock.monotonic() + keptMs })
    },
    all: (): { cause: ChangeCause }[] => [...answered.values(), ...awaited.values()],
    forget(deviceId: string): void {
      answered.delete(deviceId)
      for (const [id, known] of awaited) if (known.deviceId === deviceId) awaited.delete(id)
    },
    sweep(): void {
      const now = clock.monotonic()
      for (const [id, { forgetAt }] of awaited) {
        if (forgetAt > now) return
        awaited.delete(id)
      }
    }
  }
}
