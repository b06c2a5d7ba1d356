import type { Clock } from '../clock.ts'
import type { Connection } from '../socket/connection.ts'
import { createStore } from '../store.ts'
import {
  endingsBetween,
  nextDeadlineMs,
  noCommands,
  reduceCommands,
  type CommandEvent,
  type CommandKind,
  type Ending,
  type Target
} from './command-machine.ts'
import { createLatestThrottle } from './latest-throttle.ts'

/** At most four speeds a second, the last one wins. */
const speedIntervalMs = 250

type Command =
  | { event: 'toggle-switch'; payload: { deviceMac: string; switchIndex: number; state: boolean } }
  | { event: 'set-fan-speed'; payload: { deviceMac: string; switchIndex: number; speed: number } }
  | { event: 'toggle-all-switches'; payload: { deviceMac: string; state: boolean } }
  | { event: 'toggleSwitch'; payload: { switchId: string; state: boolean } }

export interface CommanderDeps {
  connection: Pick<Connection, 'emit'>
  clock: Clock
  /** Told once per request, when it ends. */
  onEnding: (ending: Ending) => void
}

/** Sends commands and keeps what is known of each; the rules are in `command-machine.ts`. */
export function createCommander({ connection, clock, onEnding }: CommanderDeps) {
  const store = createStore(noCommands)
  const sliders = new Map<string, (speed: number) => void>()
  let requests = 0
  let cancelTick = () => {}

  function apply(event: CommandEvent) {
    const before = store.get()
    const after = reduceCommands(before, event)
    if (after === before) return
    store.set(after)
    cancelTick()
    const deadline = nextDeadlineMs(after)
    if (deadline !== null)
      cancelTick = clock.after(deadline - clock.now(), () => apply({ type: 'tick', nowMs: clock.now() }))
    for (const ending of endingsBetween(before, after)) onEnding(ending)
  }

  function send(mac: string, indexes: readonly number[], kind: CommandKind, target: Target, command: Command) {
    requests += 1
    const request = requests
    apply({ type: 'sent', mac, indexes, kind, target, request, nowMs: clock.now() })
    void connection.emit(command.event, command.payload).then((answer) => {
      if (answer.ok) {
        if ('id' in answer) apply({ type: 'accepted', request, commandId: answer.id })
        return
      }
      // Without an acknowledgement the board may still have it: its report, or the four seconds, decide.
      if (answer.code !== 'NO_ACK')
        apply({ type: 'refused', request, code: answer.code, message: answer.message, nowMs: clock.now() })
    })
  }

  const isPending = (mac: string, index: number) => store.get()[mac]?.[index]?.phase === 'pending'

  return {
    getState: store.get,
    subscribe: store.subscribe,
    /** Ignored while a command of that outlet is under way: its control is locked. */
    toggle: (mac: string, index: number, on: boolean) => {
      if (isPending(mac, index)) return
      send(
        mac,
        [index],
        'toggle',
        { on },
        { event: 'toggle-switch', payload: { deviceMac: mac, switchIndex: index, state: on } }
      )
    },
    /** The home screen's way: by the switch's id. */
    toggleById: (outlet: { mac: string; index: number; switchId: string }, on: boolean) => {
      if (isPending(outlet.mac, outlet.index)) return
      const command: Command = { event: 'toggleSwitch', payload: { switchId: outlet.switchId, state: on } }
      send(outlet.mac, [outlet.index], 'toggle', { on }, command)
    },
    toggleAll: (mac: string, outletCount: number, on: boolean) => {
      const indexes = Array.from({ length: outletCount }, (_, index) => index)
      if (indexes.some((index) => isPending(mac, index))) return
      send(mac, indexes, 'all', { on }, { event: 'toggle-all-switches', payload: { deviceMac: mac, state: on } })
    },
    /** May be called as fast as a slider moves: a newer speed takes the place of the pending one. */
    setSpeed: (mac: string, index: number, speed: number) => {
      const key = `${mac} ${index}`
      const slide =
        sliders.get(key) ??
        createLatestThrottle<number>(clock, speedIntervalMs, (value) =>
          send(
            mac,
            [index],
            'speed',
            { speed: value },
            { event: 'set-fan-speed', payload: { deviceMac: mac, switchIndex: index, speed: value } }
          )
        )
      sliders.set(key, slide)
      slide(speed)
    },
    /** A board's report or snapshot arrived. */
    reported: (
      mac: string,
      report: { switch: readonly boolean[]; speed: readonly number[]; commandId?: string | undefined }
    ) => apply({ type: 'reported', mac, ...report, nowMs: clock.now() }),
    /** Another person signs in: nothing of the former one remains. */
    reset: () => {
      cancelTick()
      store.set(noCommands)
    }
  }
}
export type Commander = ReturnType<typeof createCommander>
