import type { ChangeSource, SwitchSetting } from '@batti/contracts'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import { AppError, notFound } from '../../platform/app-error.ts'
import type { Actor } from '../../platform/people/actor.ts'

export function createCommandAndWait(commandSwitches: CommandSwitches) {
  /** Sends a state and waits until the board has confirmed it and that is stored. */
  return async function commandAndWait(
    actor: Actor,
    device: LiveDevice,
    set: SwitchSetting,
    via: ChangeSource
  ): Promise<void> {
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
