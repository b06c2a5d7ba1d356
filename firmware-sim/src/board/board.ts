import { canonicalMac, type SetupForm } from '@batti/contracts'
import { boardTypes, type BoardTypeCode } from '@batti/contracts/board-types'
import { minuteMs } from '@batti/kit/durations'
import { randomBytes } from 'node:crypto'
import { createSharedResources, type SharedResources } from './shared-resources.ts'
import { presentBoard } from './board-presenter.ts'
import type { BoardView } from './board-view.ts'
import type { DeviceState } from '../device/device-state.ts'
import { createFaults, type FaultPatch } from './faults.ts'
import { createMemoryFlash, type Flash } from './flash.ts'
import { createHistory, type HistoryEntry } from './history.ts'
import { createPowerSwitch } from './power-switch.ts'
import type { PowerUp } from './power-up-parts.ts'

export interface BoardOptions {
  model: BoardTypeCode
  /** In any usual spelling. */
  mac: string
  name?: string
  /** The label beside each outlet. */
  labels?: readonly string[]
  /** By default in memory, lost when the process ends. */
  flash?: Flash
  shared?: SharedResources
  /** Where the setup page listens; port 0 chooses a free one. Null, the default: no page, use `configure` instead. */
  setup?: { host: string; port: number } | null
  faults?: FaultPatch
  /** How many messages the board remembers for `history`. */
  historyLimit?: number
  /** How long joining a Wi-Fi takes, milliseconds. */
  joinMs?: number
}

/** A simulated board: its hardware, and the actions of a person at it. */
export interface Board {
  readonly mac: string
  readonly model: BoardTypeCode
  readonly name: string
  state(): BoardView
  /** Restores the power. Resolves when the setup page listens; the boot continues in the background. */
  restorePower(): Promise<void>
  /** Cuts the power: sends no farewell, and loses everything except the flash. */
  cutPower(): void
  /** Presses the button of an outlet. Returns false when there is no such outlet, or no power. */
  press(index: number): boolean
  /** Turns the knob of an outlet with a level, 0 to 255; 0 switches it off. Returns false without such an outlet or power. */
  turn(index: number, speed: number): boolean
  setFaults(patch: FaultPatch): void
  /** Submits the setup form without its page. Returns false outside setup mode. */
  configure(form: SetupForm): boolean
  /** Holds the button for ten seconds: erases the flash and restarts the board in factory state. */
  factoryReset(): Promise<void>
  /** Erases the flash of a removed board, after `close`. */
  eraseFlash(): void
  history(): HistoryEntry[]
  /** Calls `listener` after every change. Returns a function that removes it. */
  onChange(listener: () => void): () => void
  /** Resolves once `condition` holds. Rejects after `timeoutMs` of real time, with the state of the board. */
  when(condition: (view: BoardView) => boolean, timeoutMs?: number): Promise<void>
  whenOnline(timeoutMs?: number): Promise<void>
  /** Shuts down cleanly and closes all resources. */
  close(): Promise<void>
}

/** Longer than the lifetime of a command. */
const slowMs = 5000

export function createBoard(options: BoardOptions): Board {
  const mac = requireMac(options.mac)
  const {
    model: modelCode,
    shared = createSharedResources(),
    flash = createMemoryFlash(mac),
    setup = null,
    joinMs = 0
  } = options
  const model = boardTypes[modelCode]
  const name = options.name ?? model.title
  const { clock, random } = shared
  const faults = createFaults(clock, random, options.faults)
  const history = createHistory(options.historyLimit ?? 1000)
  const listeners = new Set<() => void>()
  const plug = createPowerSwitch({
    parts: {
      shared,
      model,
      flash,
      faults,
      history,
      joinMs,
      localIp: localIpOf(mac),
      newId: (length) => randomBytes(length).toString('base64url').slice(0, length),
      spoil: (fault) =>
        board.setFaults({ update: 'none', ...(fault === 'silent' ? { offline: true } : { latencyMs: slowMs }) })
    },
    setup,
    subject: { mac, title: name, outlets: model.outlets },
    changed() {
      for (const listener of listeners) listener()
    }
  })

  /** Returns the running device; null without power or before the end of the boot. */
  function running(): { power: PowerUp; device: DeviceState } | null {
    const power = plug.power()
    const device = power?.device() ?? null
    return power === null || device === null ? null : { power, device }
  }

  const board: Board = {
    mac,
    model: modelCode,
    name,
    state: () =>
      presentBoard(
        {
          mac,
          name,
          labels: options.labels ?? [],
          paired: plug.paired(),
          model,
          modelCode,
          firmware: plug.firmware(),
          faults: faults.settings(),
          setupUrl: plug.setupUrl()
        },
        plug.power()
      ),
    restorePower: plug.putIn,
    cutPower: plug.pull,
    press(index) {
      const booted = running()
      if (booted === null || model.outlets[index] === undefined) return false
      booted.power.dispatch({ kind: 'pressed', index })
      return true
    },
    turn(index, speed) {
      const booted = running()
      if (booted?.device.outlets[index]?.level === undefined) return false
      booted.power.dispatch({ kind: 'turned', index, speed })
      return true
    },
    setFaults(patch) {
      const before = faults.settings().offline
      faults.change(patch)
      if (faults.settings().offline !== before) plug.power()?.networkChanged()
      plug.noteChange()
    },
    configure: (form) => plug.power()?.configure(form) ?? false,
    async factoryReset() {
      plug.pull()
      flash.erase()
      plug.forget()
      history.add({ at: clock.now(), kind: 'event', what: 'factory reset' })
      await plug.putIn()
    },
    eraseFlash: () => flash.erase(),
    history: () => history.list(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    when: (condition, timeoutMs = minuteMs) => waitFor(board, condition, timeoutMs),
    whenOnline: (timeoutMs) => board.when(({ phase }) => phase === 'online', timeoutMs),
    close: plug.close
  }
  return board
}

function waitFor(board: Board, condition: (view: BoardView) => boolean, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (!condition(board.state())) return
      clearTimeout(timer)
      undo()
      resolve()
    }
    const timer = setTimeout(() => {
      undo()
      const { phase, detail } = board.state()
      reject(new Error(`${board.mac} is after ${timeoutMs} ms still ${phase}${detail === null ? '' : `: ${detail}`}`))
    }, timeoutMs)
    const undo = board.onChange(check)
    check()
  })
}

function requireMac(text: string): string {
  const mac = canonicalMac(text)
  if (mac === null) throw new Error(`${text} is not a MAC address`)
  return mac
}

/** Returns a plausible address in the local network, always the same for a board. */
function localIpOf(mac: string): string {
  const [high = 0, low = 0] = mac
    .split(':')
    .slice(-2)
    .map((part) => Number.parseInt(part, 16))
  return `192.168.${high % 4}.${2 + (low % 250)}`
}
