import type { SwitchUpdatePayload } from '@batti/contracts'
import type { OutletKind } from './board-models.ts'

/** What the relays and the fan regulators are set to. */
export type Outputs = { readonly switch: readonly boolean[]; readonly speed: readonly number[] }

export type CommandOutcome =
  | { readonly result: 'applied'; readonly outputs: Outputs; readonly changed: number[] }
  | { readonly result: 'expired'; readonly reason: string }
  | { readonly result: 'rejected'; readonly reason: string }

/**
 * Decides one `switch-update`, all of it or nothing. `serverNow` is null while the board has not learnt the server's
 * clock: then every command counts as fresh, because nothing is queued for a board. Source: wire §3.
 */
export function decideCommand(
  command: SwitchUpdatePayload,
  outlets: readonly OutletKind[],
  outputs: Outputs,
  serverNow: number | null
): CommandOutcome {
  if (serverNow !== null && serverNow > command.expiresAt) {
    return { result: 'expired', reason: `arrived ${serverNow - command.expiresAt} ms after it expired` }
  }
  const fault = command.set.map((setting) => settingFault(setting, outlets)).find((reason) => reason !== null)
  if (fault !== undefined) return { result: 'rejected', reason: fault }
  return { result: 'applied', ...applySettings(command.set, outputs) }
}

function settingFault(setting: SwitchUpdatePayload['set'][number], outlets: readonly OutletKind[]): string | null {
  const kind = outlets[setting.index]
  if (kind === undefined) return `this board has no outlet ${setting.index}`
  if (setting.on === undefined && setting.speed === undefined) return `nothing to set at outlet ${setting.index}`
  if (setting.speed !== undefined && kind !== 'fan') return `outlet ${setting.index} is not a fan`
  return null
}

/** Sets absolute values; `changed` names the outlets that are different afterwards. */
export function applySettings(
  settings: readonly { index: number; on?: boolean | undefined; speed?: number | undefined }[],
  outputs: Outputs
): { outputs: Outputs; changed: number[] } {
  const nextSwitch = [...outputs.switch]
  const nextSpeed = [...outputs.speed]
  for (const { index, on, speed } of settings) {
    if (on !== undefined) nextSwitch[index] = on
    if (speed !== undefined) nextSpeed[index] = speed
  }
  const changed = nextSwitch.flatMap((on, index) =>
    on === outputs.switch[index] && nextSpeed[index] === outputs.speed[index] ? [] : [index]
  )
  return { outputs: { switch: nextSwitch, speed: nextSpeed }, changed }
}
