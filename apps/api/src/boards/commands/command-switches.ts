import type { ChangeSource } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import type { LiveDevice, SentCommand } from '../registry/live-device.ts'
import type { SwitchSetting } from '@batti/contracts'

/** The one way a person's wish reaches a board, whatever it came through. */
export interface CommandSwitches {
  /**
   * @throws AppError NOT_FOUND for a board that is not the actor's to see, FORBIDDEN where it may be seen but not
   * controlled, VALIDATION for an outlet it does not have, DEVICE_OFFLINE, UNAVAILABLE.
   */
  command(actor: Actor, device: LiveDevice | null, set: SwitchSetting[], via: ChangeSource): SentCommand
}
