import { differs, outletOf, type Outlet, type SwitchSetting, type SwitchUpdatePayload } from '@batti/contracts'

export type CommandOutcome =
  | { readonly result: 'applied'; readonly outlets: readonly Outlet[]; readonly changed: number[] }
  | { readonly result: 'expired'; readonly reason: string }
  | { readonly result: 'rejected'; readonly reason: string }

/**
 * Accepts or rejects one `switch-update` as a whole. `serverNow` is null until the board knows the server's clock. Every
 * command then counts as fresh, because nothing is queued for a board.
 */
export function decideCommand(
  command: SwitchUpdatePayload,
  outlets: readonly Outlet[],
  serverNow: number | null
): CommandOutcome {
  if (serverNow !== null && serverNow > command.expiresAt) {
    return { result: 'expired', reason: `arrived ${serverNow - command.expiresAt} ms after it expired` }
  }
  const fault = command.set.map((setting) => settingFault(setting, outlets)).find((reason) => reason !== null)
  if (fault !== undefined) return { result: 'rejected', reason: fault }
  return { result: 'applied', ...applySettings(command.set, outlets) }
}

function settingFault({ index, on, speed }: SwitchSetting, outlets: readonly Outlet[]): string | null {
  const outlet = outlets[index]
  if (outlet === undefined) return `this board has no outlet ${index}`
  if (on === undefined && speed === undefined) return `nothing to set at outlet ${index}`
  if (speed !== undefined && outlet.level === undefined) return `outlet ${index} is a ${outlet.kind} and has no speed`
  return null
}

/** Sets absolute values. `changed` lists the outlets whose state differs afterwards. */
export function applySettings(
  settings: readonly SwitchSetting[],
  outlets: readonly Outlet[]
): { outlets: readonly Outlet[]; changed: number[] } {
  const next = [...outlets]
  for (const { index, on, speed } of settings) {
    const outlet = next[index]
    if (outlet !== undefined) next[index] = outletOf(outlet.kind, on ?? outlet.on, speed ?? outlet.level ?? 0)
  }
  const changed = outlets.flatMap((before, index) => {
    const after = next[index]
    return after !== undefined && differs(before, after) ? [index] : []
  })
  return { outlets: next, changed }
}
