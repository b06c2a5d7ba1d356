import { canonicalMac, type FirmwareProgress, type SetupForm } from '@batti/contracts'
import { boardTypes, type BoardTypeCode } from '@batti/contracts/board-types'
import { urlHost } from '@batti/kit/address'
import { listen } from '@batti/kit/node/listen'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { createBoardHouse, type BoardHouse } from './board-house.ts'
import { presentBoard } from './board-presenter.ts'
import type { BoardView } from './board-view.ts'
import { createFaults, type FaultPatch } from './faults.ts'
import { createMemoryFlash, type Flash } from './flash.ts'
import { createHistory, type HistoryEntry } from './history.ts'
import type { PowerUp } from './power-up-parts.ts'
import { createPowerUp } from './power-up.ts'
import { createSetupServer } from './setup-server.ts'

export type BoardOptions = {
  model: BoardTypeCode
  /** In any usual spelling. */
  mac: string
  name?: string
  /** What is written beside each outlet. */
  labels?: readonly string[]
  /** Memory by default: gone with the process. */
  flash?: Flash
  house?: BoardHouse
  /** Where the setup page listens; port 0 takes a free one. Null, the default: no page, `configure` does its work. */
  setup?: { host: string; port: number } | null
  faults?: FaultPatch
  /** How many messages the board remembers for `history`. */
  historyLimit?: number
  /** How long joining a Wi-Fi takes, milliseconds. */
  joinMs?: number
}

/** A simulated board: its hardware, and the hand that presses, pulls and plugs. */
export type Board = {
  readonly mac: string
  readonly model: BoardTypeCode
  readonly name: string
  state(): BoardView
  /** Puts the plug in. Resolves when the setup page listens; the rest of the start goes on by itself. */
  restorePower(): Promise<void>
  /** Pulls the plug: nothing is said, everything but the flash is lost. */
  cutPower(): void
  /** The button of one outlet. False where there is no such outlet, or no power. */
  press(index: number): boolean
  /** The knob of an outlet with a level, 0 to 255; 0 switches it off. False where there is none, or no power. */
  turn(index: number, speed: number): boolean
  setFaults(patch: FaultPatch): void
  /** The setup form without its page. False outside setup mode. */
  configure(form: SetupForm): boolean
  /** The button held for ten seconds: the flash is erased and the board starts again as new. */
  factoryReset(): Promise<void>
  /** For a board that is thrown away, after `close`. */
  eraseFlash(): void
  history(): HistoryEntry[]
  /** Calls back after every change. Returns the undo. */
  onChange(listener: () => void): () => void
  /** Resolves once `condition` holds; rejects with what the board is at instead after `timeoutMs` of real time. */
  when(condition: (view: BoardView) => boolean, timeoutMs?: number): Promise<void>
  whenOnline(timeoutMs?: number): Promise<void>
  /** Goes down in order and closes everything it holds. */
  close(): Promise<void>
}

/** Longer than a command lives. */
const slowMs = 5000

export function createBoard(options: BoardOptions): Board {
  const mac = requireMac(options.mac)
  const {
    model: modelCode,
    house = createBoardHouse(),
    flash = createMemoryFlash(mac),
    setup = null,
    joinMs = 0
  } = options
  const model = boardTypes[modelCode]
  const name = options.name ?? model.title
  const { clock, random } = house
  const faults = createFaults(clock, random, options.faults)
  const history = createHistory(options.historyLimit ?? 1000)
  const listeners = new Set<() => void>()
  let power: PowerUp | null = null
  let setupServer: { server: Server; port: number } | null = null
  let setupPort = setup?.port ?? 0
  let firmware: FirmwareProgress | null = null
  let paired = flash.load().record.credentials !== null

  function changed(): void {
    if (power !== null) paired = power.record().credentials !== null
    for (const listener of listeners) listener()
  }

  function start(): void {
    power = createPowerUp({
      house,
      model,
      flash,
      faults,
      history,
      joinMs,
      localIp: localIpOf(mac),
      newId: (length) => randomBytes(length).toString('base64url').slice(0, length),
      changed,
      firmwareProgress(progress) {
        firmware = progress
      },
      reboot: () => void reboot(),
      cutPower() {
        board.cutPower()
        void board.restorePower()
      },
      spoil: (fault) =>
        board.setFaults({ update: 'none', ...(fault === 'silent' ? { offline: true } : { latencyMs: slowMs }) })
    })
    changed()
  }

  async function reboot(): Promise<void> {
    const before = power
    await before?.stop()
    // The plug may have been pulled meanwhile.
    if (power === before && before !== null) start()
  }

  async function openSetupPage({ host }: { host: string }): Promise<void> {
    const server = createSetupServer({
      subject: { mac, title: name, outlets: model.outlets },
      endsAt: () => power?.status().setupEndsAt ?? null,
      now: () => clock.now(),
      accept: (form) => power?.configure(form) ?? false
    })
    setupPort = await listen(server, setupPort, host).catch(() => listen(server, 0, host))
    setupServer = { server, port: setupPort }
    changed()
  }

  function unplug(): void {
    power = null
    setupServer?.server.close()
    setupServer?.server.closeAllConnections()
    setupServer = null
  }

  /** The device, where there is power and the boot is done. */
  const running = (): PowerUp | null => (power !== null && power.device() !== null ? power : null)

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
          paired,
          model,
          modelCode,
          firmware,
          faults: faults.settings(),
          setupUrl: setup === null || setupServer === null ? null : `http://${urlHost(setup.host)}:${setupServer.port}/`
        },
        power
      ),
    async restorePower() {
      if (power !== null) return
      history.add({ at: clock.now(), kind: 'event', what: 'power on' })
      start()
      if (setup !== null) await openSetupPage(setup)
    },
    cutPower() {
      if (power === null) return
      power.cut()
      unplug()
      history.add({ at: clock.now(), kind: 'event', what: 'power cut' })
      changed()
    },
    press(index) {
      const device = running()
      if (device === null || model.outlets[index] === undefined) return false
      device.dispatch({ kind: 'pressed', index })
      return true
    },
    turn(index, speed) {
      const device = running()
      if (device?.device()?.outlets[index]?.level === undefined) return false
      device.dispatch({ kind: 'turned', index, speed })
      return true
    },
    setFaults(patch) {
      const before = faults.settings().offline
      faults.change(patch)
      if (faults.settings().offline !== before) power?.networkChanged()
      changed()
    },
    configure: (form) => power?.configure(form) ?? false,
    async factoryReset() {
      board.cutPower()
      flash.erase()
      paired = false
      firmware = null
      history.add({ at: clock.now(), kind: 'event', what: 'factory reset' })
      await board.restorePower()
    },
    eraseFlash: () => flash.erase(),
    history: () => history.list(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    when: (condition, timeoutMs = 15_000) => waitFor(board, condition, timeoutMs),
    whenOnline: (timeoutMs = 15_000) => waitFor(board, ({ phase }) => phase === 'online', timeoutMs),
    async close() {
      const stopping = power
      unplug()
      await stopping?.stop()
      changed()
    }
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

/** A plausible address in the house's network, always the same for the same board. */
function localIpOf(mac: string): string {
  const [high = 0, low = 0] = mac
    .split(':')
    .slice(-2)
    .map((part) => Number.parseInt(part, 16))
  return `192.168.${high % 4}.${2 + (low % 250)}`
}
