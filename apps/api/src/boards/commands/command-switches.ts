import type { ChangeSource, SwitchSetting } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import type { LiveDevice, SentCommand } from '../registry/live-device.ts'

/** The one way in which a person's command reaches a board, whatever it came through. */
export interface CommandSwitches {
  /**
   * @throws AppError NOT_FOUND for a board that the actor may not see, FORBIDDEN for one they may see but not control,
   * VALIDATION for an outlet that it does not have, DEVICE_OFFLINE, UNAVAILABLE.
   */
  command(actor: Actor, device: LiveDevice | null, set: SwitchSetting[], via: ChangeSource): SentCommand
}
