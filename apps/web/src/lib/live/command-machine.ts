import { deviceResponseTimeoutMs, type Outlet } from '@batti/contracts'

// Times are of the monotonic clock: setting back the wall clock must not delay a timeout.

/** The state that a person requested of one outlet. */
export interface Target {
  on?: boolean
  level?: number
}
export type CommandKind = 'toggle' | 'level' | 'all'

/** The latest command of one outlet: pending, or its end. `request` numbers the requests of this tab. */
export type CommandState =
  | {
      phase: 'pending'
      request: number
      kind: CommandKind
      target: Target
      deadlineMs: number
      commandId: string | null
    }
  | { phase: 'confirmed'; request: number; atMs: number }
  | { phase: 'no-answer'; request: number; target: Target; atMs: number }
  | { phase: 'refused'; request: number; atMs: number; code: string; message: string }

/** Commands by MAC, then by outlet index. */
export type Commands = Readonly<Record<string, Readonly<Record<number, CommandState>>>>

export type CommandEvent =
  | {
      type: 'sent'
      mac: string
      indexes: readonly number[]
      kind: CommandKind
      target: Target
      request: number
      nowMs: number
    }
  | { type: 'accepted'; request: number; commandId: string }
  | { type: 'refused'; request: number; code: string; message: string; nowMs: number }
  | {
      type: 'reported'
      mac: string
      outlets: readonly Outlet[]
      commandId?: string | undefined
      nowMs: number
    }
  | { type: 'tick'; nowMs: number }

export const noCommands: Commands = {}

/** Returns null for a command that is to be forgotten. */
type Change = (command: CommandState, mac: string, index: number) => CommandState | null

/** Keeps the object of each board whose commands stay as they are: its switches on the page are not rendered again. */
function mapCommands(commands: Commands, change: Change): Commands {
  let next = commands
  for (const [mac, outlets] of Object.entries(commands))
    for (const [key, command] of Object.entries(outlets)) {
      const changed = change(command, mac, Number(key))
      if (changed === command) continue
      const { [Number(key)]: _, ...others } = next[mac] ?? {}
      next = { ...next, [mac]: changed === null ? others : { ...others, [key]: changed } }
    }
  return next
}

const isMet = ({ on, level }: Target, outlet: Outlet | undefined) =>
  (on === undefined || on === outlet?.on) && (level === undefined || level === outlet?.level)

/**
 * Reduces the events of commands. A command is pending until a report shows the requested value; without one it ends
 * after 4000 ms as `no-answer`, on a refusal at once. `viewOutlet` computes the state to show meanwhile. The device
 * state is never changed here, so a command without confirmation leaves the earlier state, and a late report still
 * corrects it.
 */
export function reduceCommands(commands: Commands, event: CommandEvent): Commands {
  switch (event.type) {
    case 'sent': {
      const { request, kind, target, mac, indexes, nowMs } = event
      const pending: CommandState = {
        phase: 'pending',
        request,
        kind,
        target,
        deadlineMs: nowMs + deviceResponseTimeoutMs,
        commandId: null
      }
      return {
        ...commands,
        [mac]: { ...commands[mac], ...Object.fromEntries(indexes.map((index) => [index, pending])) }
      }
    }
    case 'accepted':
      return mapCommands(commands, (command) =>
        command.phase === 'pending' && command.request === event.request
          ? { ...command, commandId: event.commandId }
          : command
      )
    case 'refused': {
      const { request, code, message, nowMs } = event
      return mapCommands(commands, (command) =>
        command.phase === 'pending' && command.request === request
          ? { phase: 'refused', request, atMs: nowMs, code, message }
          : command
      )
    }
    case 'reported':
      return mapCommands(commands, (command, mac, index) => {
        if (mac !== event.mac || (command.phase !== 'pending' && command.phase !== 'no-answer')) return command
        const { request, target } = command
        const isThere = isMet(target, event.outlets[index])
        // A late report of the requested value: the state is known, and "no response" is true no longer.
        if (command.phase === 'no-answer') return isThere ? null : command
        if (isThere) return { phase: 'confirmed', request, atMs: event.nowMs }
        // The board answered this very command with another value, so the requested one will not come.
        const isAnswered = command.commandId !== null && command.commandId === event.commandId
        return isAnswered ? { phase: 'no-answer', request, target, atMs: event.nowMs } : command
      })
    case 'tick':
      return mapCommands(commands, (command) =>
        command.phase === 'pending' && command.deadlineMs <= event.nowMs
          ? { phase: 'no-answer', request: command.request, target: command.target, atMs: event.nowMs }
          : command
      )
  }
}

/** Returns when the next pending command times out, or null. */
export function nextDeadlineMs(commands: Commands): number | null {
  let next: number | null = null
  for (const outlets of Object.values(commands)) {
    for (const command of Object.values(outlets)) {
      if (command.phase === 'pending' && (next === null || command.deadlineMs < next)) next = command.deadlineMs
    }
  }
  return next
}

/** The end of a request, reported once however many outlets it had. */
export interface Ending {
  mac: string
  request: number
  end: Exclude<CommandState, { phase: 'pending' }>
}

/** Returns the ends of requests that were pending before. */
export function endingsBetween(before: Commands, after: Commands): Ending[] {
  const endings = new Map<string, Ending>()
  for (const [mac, outlets] of Object.entries(after)) {
    for (const [key, command] of Object.entries(outlets)) {
      const earlier = before[mac]?.[Number(key)]
      if (earlier?.phase !== 'pending' || command.phase === 'pending') continue
      // A request that failed on one outlet has failed: its failure is the end to report.
      const known = endings.get(`${mac} ${command.request}`)
      if (known === undefined || known.end.phase === 'confirmed') {
        endings.set(`${mac} ${command.request}`, { mac, request: command.request, end: command })
      }
    }
  }
  return [...endings.values()]
}
