import type { ChangeSource, SwitchSetting } from '@batti/contracts'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { CommandOutcome, LiveDevice } from '../../boards/registry/live-device.ts'
import { AppError, notFound, tryAgainAfter, unavailable } from '../../platform/app-error.ts'
import { isDoneWithin } from '../../platform/is-done-within.ts'
import type { Actor } from '../../platform/people/actor.ts'
import { createLimitByKey } from '../../platform/limit-by-key.ts'

export function createCommandAndWait(
  commandSwitches: Pick<CommandSwitches, 'command'>,
  limit: { perSecond: number; now(): number; storedWithinMs: number }
) {
  const rate = { perSecond: limit.perSecond, burst: limit.perSecond * 2 }
  const mayCommand = createLimitByKey(rate, limit.now)

  /** Sends a state and waits until the board has confirmed it and the result is stored. */
  return async function commandAndWait(
    actor: Actor,
    device: LiveDevice,
    set: SwitchSetting,
    via: ChangeSource
  ): Promise<void> {
    if (!mayCommand(actor.userId)) throw tryAgainAfter(1)
    const sent = commandSwitches.command(actor, device, [set], via)
    const outcome = await sent.ended
    const failure = failureOf(outcome)
    if (failure !== null) throw failure
    if (!(await isDoneWithin(limit.storedWithinMs, outcome.stored)))
      throw unavailable('The board has switched, but the server could not store it yet.')
  }
}
export type CommandAndWait = ReturnType<typeof createCommandAndWait>

/** Returns why a command failed; null if the board confirmed it. */
export function failureOf({ result, reason }: Pick<CommandOutcome, 'result' | 'reason'>): AppError | null {
  switch (result) {
    case 'confirmed':
      return null
    case 'failed':
      return new AppError('UNPROCESSABLE', `The board refused: ${reason ?? 'no reason given'}.`)
    case 'gone':
      return notFound('Device')
    case 'expired':
    case 'timeout':
      return new AppError('DEVICE_NO_RESPONSE', '⚠️ No response from device. Restoring state.')
  }
}
