import type { ChangeCause, ChangeSource, SwitchSetting } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { forbidden, invalid, notFound } from '../../platform/app-error.ts'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { CommandRequest, LiveDevice, SentCommand } from '../../boards/registry/live-device.ts'

export interface CommandSwitchesOptions {
  send(request: CommandRequest, cause: ChangeCause): SentCommand
  maySee(actor: Actor, device: LiveDevice): boolean
  mayControl(actor: Actor, device: LiveDevice): boolean
}

/** Parsing, authorization and presence: the checks before every command, all from memory. */
export function createCommandSwitches({ send, maySee, mayControl }: CommandSwitchesOptions): CommandSwitches {
  return {
    command(actor, device, set, via): SentCommand {
      if (device === null || (!maySee(actor, device) && !mayControl(actor, device))) throw notFound('Device')
      if (!mayControl(actor, device)) throw forbidden()
      for (const setting of set) checkOutlet(device, setting)
      return send({ device, set }, causeOf(actor, via))
    }
  }
}

/** Staff appear by name, with their role as source. */
function causeOf(actor: Actor, via: ChangeSource): ChangeCause {
  const from = actor.role === 'user' ? via : actor.role
  return { by: via === 'api' ? 'api' : 'user', userId: actor.userId, userName: actor.name, from }
}

function checkOutlet(device: LiveDevice, { index, speed }: SwitchSetting): void {
  const outlet = device.outlets[index]
  if (outlet === undefined)
    throw invalid('switchIndex', `this board has no outlet ${index}: it has ${device.outlets.length}`)
  if (speed !== undefined && outlet.level === undefined)
    throw invalid('speed', `is for a fan: outlet ${index} is a ${outlet.kind}`)
}
