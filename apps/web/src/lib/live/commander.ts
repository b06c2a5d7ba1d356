import type { Outlet } from '@batti/contracts'
import type { Timers } from '@batti/kit/clock'
import type { Connection } from '#web/lib/socket/connection.ts'
import { createStore } from '#web/lib/store.ts'
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

/** At most four levels per second are sent; the last one always is. */
const levelIntervalMs = 250
/** A little less than what the server takes of one page, which is 20 commands a second, and those of two at once. */
const commandEveryMs = 1000 / 18
const atOnceMs = 2000

type Command =
  | { event: 'toggle-switch'; payload: { deviceMac: string; switchIndex: number; state: boolean } }
  | { event: 'set-fan-speed'; payload: { deviceMac: string; switchIndex: number; speed: number } }
  | { event: 'toggle-all-switches'; payload: { deviceMac: string; state: boolean } }
  | { event: 'toggleSwitch'; payload: { switchId: string; state: boolean } }

interface WantedLevel {
  request: number
  level: number
}
interface Report {
  outlets: readonly Outlet[]
  commandId?: string | undefined
}

export interface CommanderDeps {
  connection: Pick<Connection, 'emit'>
  clock: Timers
  /** Called once per request, when it ends. */
  onEnding: (ending: Ending) => void
}

/** Sends commands and stores their states; the rules are in `command-machine.ts`. */
export function createCommander({ connection, clock, onEnding }: CommanderDeps) {
  const store = createStore(noCommands)
  const sliders = new Map<string, (wanted: WantedLevel) => void>()
  /** Until when the commands so far use up the pace. */
  let pacedUntilMs = -Infinity
  let requests = 0
  let cancelTick = () => {}

  function apply(event: CommandEvent) {
    const before = store.get()
    const after = reduceCommands(before, event)
    if (after === before) return
    store.set(after)
    armTick()
    for (const ending of endingsBetween(before, after)) onEnding(ending)
  }
  function armTick() {
    cancelTick()
    const deadline = nextDeadlineMs(store.get())
    if (deadline !== null) cancelTick = clock.after(deadline - clock.monotonic(), tick)
  }
  function tick() {
    apply({ type: 'tick', nowMs: clock.monotonic() })
    // A browser's timer may fire a little early. Then no command has timed out, and the timer must be set again.
    armTick()
  }

  function nextRequest(): number {
    requests += 1
    return requests
  }
  function emit(request: number, command: Command) {
    void connection.emit(command.event, command.payload).then((answer) => {
      if (answer.ok) {
        if ('id' in answer) apply({ type: 'accepted', request, commandId: answer.id })
        return
      }
      // Without an acknowledgement the board may still have the command: its report, or the 4000 ms timeout, decides.
      if (answer.code !== 'NO_ACK') {
        apply({ type: 'refused', request, code: answer.code, message: answer.message, nowMs: clock.monotonic() })
      }
    })
  }
  interface Change {
    kind: CommandKind
    target: Target
  }
  function send(mac: string, indexes: readonly number[], change: Change, command: Command) {
    const request = nextRequest()
    const nowMs = clock.monotonic()
    pacedUntilMs = Math.max(pacedUntilMs, nowMs - atOnceMs) + commandEveryMs
    const waitMs = Math.max(0, pacedUntilMs - nowMs)
    // Pending from now on; the board's time begins when it is sent.
    apply({ type: 'sent', mac, indexes, ...change, request, nowMs: nowMs + waitMs })
    if (waitMs === 0) return emit(request, command)
    clock.after(waitMs, () => {
      // A page that was held up, or another person's, sends nothing that it no longer shows as pending.
      if (indexes.some((index) => pending(mac, index)?.request === request)) emit(request, command)
    })
  }
  function pending(mac: string, index: number) {
    const command = store.get()[mac]?.[index]
    return command?.phase === 'pending' ? command : undefined
  }
  const isToggling = (mac: string, index: number): boolean => (pending(mac, index)?.kind ?? 'level') !== 'level'

  /** Shows a requested level as pending and restarts the 4000 ms timeout. */
  function showLevel(mac: string, index: number, { request, level }: WantedLevel) {
    apply({ type: 'sent', mac, indexes: [index], kind: 'level', target: { level }, request, nowMs: clock.monotonic() })
  }
  function sliderOf(mac: string, index: number) {
    const key = `${mac} ${index}`
    const known = sliders.get(key)
    if (known !== undefined) return known
    const slide = createLatestThrottle<WantedLevel>(clock, levelIntervalMs, (wanted) => {
      // After a reset (another person signed in) a waiting level is not sent.
      if (sliders.get(key) !== slide) return
      // A toggle since then stays pending: it is the last thing that was asked for, and the board keeps both.
      if (!isToggling(mac, index)) showLevel(mac, index, wanted)
      const payload = { deviceMac: mac, switchIndex: index, speed: wanted.level }
      emit(wanted.request, { event: 'set-fan-speed', payload })
    })
    sliders.set(key, slide)
    return slide
  }

  return {
    getState: store.get,
    subscribe: store.subscribe,
    /** Ignored while a command of that outlet is pending: its control is locked. */
    toggle: (mac: string, index: number, on: boolean) => {
      if (pending(mac, index) !== undefined) return
      const payload = { deviceMac: mac, switchIndex: index, state: on }
      send(mac, [index], { kind: 'toggle', target: { on } }, { event: 'toggle-switch', payload })
    },
    /** Toggles by the switch's id, as the home screen does. */
    toggleById: ({ mac, index, switchId }: { mac: string; index: number; switchId: string }, on: boolean) => {
      if (pending(mac, index) !== undefined) return
      send(
        mac,
        [index],
        { kind: 'toggle', target: { on } },
        { event: 'toggleSwitch', payload: { switchId, state: on } }
      )
    },
    toggleAll: (mac: string, outletCount: number, on: boolean) => {
      const indexes = Array.from({ length: outletCount }, (_, index) => index)
      if (indexes.some((index) => pending(mac, index) !== undefined)) return
      const payload = { deviceMac: mac, state: on }
      send(mac, indexes, { kind: 'all', target: { on } }, { event: 'toggle-all-switches', payload })
    },
    /**
     * May be called as fast as a slider moves. Each value is shown at once and replaces the pending one; the board gets
     * at most four per second, always including the last. Ignored while the outlet is being toggled.
     */
    setLevel: (mac: string, index: number, level: number) => {
      if (isToggling(mac, index)) return
      const wanted = { request: nextRequest(), level }
      showLevel(mac, index, wanted)
      sliderOf(mac, index)(wanted)
    },
    /** Applies a board's report or snapshot. */
    reported: (mac: string, report: Report) => apply({ type: 'reported', mac, ...report, nowMs: clock.monotonic() }),
    /** Clears all commands when another person signs in. */
    reset: () => {
      cancelTick()
      sliders.clear()
      store.set(noCommands)
    }
  }
}
export type Commander = ReturnType<typeof createCommander>
