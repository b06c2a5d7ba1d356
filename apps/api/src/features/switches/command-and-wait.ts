import type { ChangeSource, SwitchSetting } from '@batti/contracts'
import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { CommandOutcome, LiveDevice } from '../../boards/registry/live-device.ts'
import { AppError, notFound, tryAgainAfter } from '../../platform/app-error.ts'
import type { Actor } from '../../platform/people/actor.ts'

export function createCommandAndWait(commandSwitches: CommandSwitches, limit: { perSecond: number; now(): number }) {
  const rate = { perSecond: limit.perSecond, burst: limit.perSecond * 2 }
  const limits = new Map<string, TokenBucket>()

  function mayCommand(userId: string): boolean {
    const own = limits.get(userId) ?? createTokenBucket(rate, limit.now)
    limits.set(userId, own)
    return own.take()
  }

  /** Sends a state and waits until the board has confirmed it and that is stored. */
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
    await outcome.stored
  }
}
export type CommandAndWait = ReturnType<typeof createCommandAndWait>

/** Why a command came to nothing; null for one that the board confirmed. */
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
