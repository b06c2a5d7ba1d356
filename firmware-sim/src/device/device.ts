import { hasLevel, statusIntervalMs, statusJitterMs, type LevelKind, type SwitchSetting } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { applySettings } from './commands.ts'
import { received } from './device-messages.ts'
import { occurred, report, snapshot, uptimeS } from './device-reports.ts'
import {
  seedState,
  type DeviceEffect,
  type DeviceEvent,
  type DeviceSeed,
  type DeviceState,
  type Step
} from './device-state.ts'
import { addResync, makeAllDue, holdsSnapshot, nextReportAt, takeDueReports } from './report-queue.ts'
import { bestOffset } from './server-clock.ts'
import { nextFiringAt, owedFirings, type Firing } from './timetable.ts'

/** A lost network is noticed late. Timetable entries that became due before that are made up for if they are no older. */
const lookBackMs = 2 * minuteMs
/** The level for an outlet that is switched on by hand and never had one, so that it turns or shines. */
const firstLevel: Record<LevelKind, number> = { fan: 120, dimmer: 255 }

/** Returns the state at power-on. The first report is the boot report. */
export function powerOn(seed: DeviceSeed, now: number): DeviceState {
  const state = plan(seedState(seed, now), now)
  return report(state, { cause: 'boot' }, now)
}

/** The board as a pure function: returns the next state and the effects of an event. `now` is the board's clock, milliseconds. */
export function step(state: DeviceState, event: DeviceEvent, now: number): Step {
  const { state: next, effects } = sendDue(handle(state, event, now), now)
  // Reconnect last, so that the other messages still leave through the present connection.
  const ordered = [
    ...effects.filter(({ kind }) => kind !== 'reconnect'),
    ...effects.filter(({ kind }) => kind === 'reconnect')
  ]
  return { state: next, effects: ordered }
}

/** Returns when the board next has something to do by itself, on its own clock; Infinity for never. */
export function nextWakeAt(state: DeviceState): number {
  return state.link.up ? Math.min(state.link.statusAt, nextReportAt(state.reports)) : state.alone.nextFiringAt
}

/** The last will of the present connection. A board also publishes it itself when it shuts down cleanly. */
export const farewell = (state: DeviceState): object => ({ online: false, bootId: state.bootId, conn: state.link.conn })

function handle(state: DeviceState, event: DeviceEvent, now: number): Step {
  switch (event.kind) {
    case 'connecting':
      return quiet({ ...state, link: { ...state.link, conn: state.link.conn + 1, up: false } })
    case 'connected':
      return connected(state, event.jitter, now)
    case 'disconnected':
      return quiet(onItsOwn(state, event.heardAt, now))
    case 'received':
      return received(state, event.topic, event.payload, now)
    case 'pressed':
      return pressed(state, event.index, now)
    case 'turned':
      return turned(state, event.index, event.speed, now)
    case 'firmware':
      return firmware(state, event.progress)
    case 'tick':
      return runTimetable(state, now)
  }
}

const quiet = (state: DeviceState): Step => ({ state, effects: [] })

function connected(state: DeviceState, jitter: number, now: number): Step {
  const statusEveryMs = statusIntervalMs + Math.round((jitter * 2 - 1) * statusJitterMs)
  const queue = makeAllDue(state.reports, now)
  const linked: DeviceState = {
    ...state,
    link: { ...state.link, up: true, statusAt: now, statusEveryMs },
    reports: queue
  }
  const reports = holdsSnapshot(queue) ? queue : addResync(queue, snapshot(linked, now), now)
  const outcome: DeviceEffect[] =
    state.firmwareOutcome === null
      ? []
      : [{ kind: 'publish', topic: 'firmware-progress', payload: state.firmwareOutcome }]
  const persisted = outcome.length === 0 ? [] : [...outcome, { kind: 'persist', urgent: false } as const]
  const status = heartbeat({ ...linked, reports, firmwareOutcome: null }, now)
  return { state: status.state, effects: [...status.effects, ...persisted] }
}

function onItsOwn(state: DeviceState, heardAt: number, now: number): DeviceState {
  const doneUntil = state.link.up ? Math.max(heardAt, now - lookBackMs) : state.alone.doneUntil
  const alone: DeviceState = {
    ...state,
    link: { ...state.link, up: false, statusAt: Infinity },
    alone: { ...state.alone, doneUntil }
  }
  return plan(alone, now)
}

/** Computes the next firing of the timetable for the time without the server. */
function plan(state: DeviceState, now: number): DeviceState {
  const offset = bestOffset(state.clock)
  if (state.timetable === null || offset === null)
    return { ...state, alone: { ...state.alone, nextFiringAt: Infinity } }
  const from = Math.max(state.alone.doneUntil, now - lookBackMs)
  return { ...state, alone: { ...state.alone, nextFiringAt: nextFiringAt(state.timetable, from + offset) - offset } }
}

function runTimetable(state: DeviceState, now: number): Step {
  const offset = bestOffset(state.clock)
  if (state.link.up || state.timetable === null || offset === null || now < state.alone.nextFiringAt)
    return quiet(state)
  const firings = owedFirings(state.timetable, state.alone.doneUntil + offset, now + offset)
  const fired = firings.reduce((earlier, firing) => fire(earlier, firing, now + offset, now), state)
  const done = plan({ ...fired, alone: { ...fired.alone, doneUntil: now } }, now)
  return { state: done, effects: firings.length > 0 ? [{ kind: 'persist', urgent: false }] : [] }
}

function fire(state: DeviceState, { entry }: Firing, occurredAt: number, now: number): DeviceState {
  if (entry.index >= state.outlets.length) return state
  const { outlets, changed } = applySettings([{ index: entry.index, on: entry.on }], state.outlets)
  return report({ ...state, outlets }, { cause: 'schedule', scheduleId: entry.id, occurredAt, changed }, now)
}

function moved(state: DeviceState, settings: readonly SwitchSetting[], now: number): Step {
  if (settings.some(({ index }) => state.outlets[index] === undefined)) return quiet(state)
  const { outlets, changed } = applySettings(settings, state.outlets)
  const next = report({ ...state, outlets }, { cause: 'button', ...occurred(state, now), changed }, now)
  return { state: next, effects: [{ kind: 'persist', urgent: false }] }
}

/** Handles a button, which toggles its outlet. An outlet without a level gets the first one, so that a fan turns. */
function pressed(state: DeviceState, index: number, now: number): Step {
  const outlet = state.outlets[index]
  if (outlet === undefined) return quiet(state)
  const { kind, level } = outlet
  const on = !outlet.on
  return moved(state, [{ index, on, ...(on && level === 0 && hasLevel(kind) ? { speed: firstLevel[kind] } : {}) }], now)
}

/** Handles a knob. A level above zero also switches the outlet on; zero switches it off and keeps the last level. */
function turned(state: DeviceState, index: number, speed: number, now: number): Step {
  if (state.outlets[index]?.level === undefined) return quiet(state)
  return moved(state, [speed > 0 ? { index, on: true, speed } : { index, on: false }], now)
}

function firmware(state: DeviceState, progress: DeviceState['firmwareOutcome'] & object): Step {
  if (state.link.up) return { state, effects: [{ kind: 'publish', topic: 'firmware-progress', payload: progress }] }
  const ended = progress.phase === 'done' || progress.phase === 'failed'
  return ended
    ? { state: { ...state, firmwareOutcome: progress }, effects: [{ kind: 'persist', urgent: true }] }
    : quiet(state)
}

function heartbeat(state: DeviceState, now: number): Step {
  if (!state.link.up || now < state.link.statusAt) return quiet(state)
  const payload = {
    online: true,
    bootId: state.bootId,
    conn: state.link.conn,
    rssi: state.rssi,
    uptimeS: uptimeS(state, now)
  }
  const link = { ...state.link, statusAt: now + state.link.statusEveryMs }
  return { state: { ...state, link }, effects: [{ kind: 'publish', topic: 'status', payload }] }
}

function sendDue({ state, effects }: Step, now: number): Step {
  if (!state.link.up) return { state, effects }
  const beat = heartbeat(state, now)
  const { queue, reports } = takeDueReports(beat.state.reports, now)
  const publishes = reports.map((payload): DeviceEffect => ({ kind: 'publish', topic: 'update-from-device', payload }))
  return { state: { ...beat.state, reports: queue }, effects: [...effects, ...beat.effects, ...publishes] }
}
