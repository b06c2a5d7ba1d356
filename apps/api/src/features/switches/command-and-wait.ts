import type { ChangeSource, SwitchSetting } from '@batti/contracts'
import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
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
    switch (outcome.result) {
      case 'confirmed':
        await outcome.stored
        return
      case 'failed':
        throw new AppError('UNPROCESSABLE', `The board refused: ${outcome.reason ?? 'no reason given'}.`)
      case 'gone':
        throw notFound('Device')
      case 'expired':
      case 'timeout':
        throw new AppError('DEVICE_NO_RESPONSE', '⚠️ No response from device. Restoring state.')
    }
  }
}
export type CommandAndWait = ReturnType<typeof createCommandAndWait>
