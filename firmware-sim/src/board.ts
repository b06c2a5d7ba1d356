import { canonicalMac, type FirmwareProgress, type SetupForm } from '@batti/contracts'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { boardModels, factoryFanSpeed, factoryVersion, type ModelCode } from './board-models.ts'
import type { BoardView } from './board-view.ts'
import { createClock, type Clock } from './clock.ts'
import { createFaults, type FaultPatch } from './faults.ts'
import { createMemoryFlash, type Flash } from './flash.ts'
import { createGate, type Gate } from './gate.ts'
import { createHistory, type HistoryEntry } from './history.ts'
import { createPowerUp, type PowerUp } from './power-up.ts'
import { createSetupServer } from './setup-server.ts'
import { createTlsContexts, type TlsContexts } from './tls-contexts.ts'

/** What many boards of one process share. */
export type BoardHouse = { clock: Clock; random: () => number; gate: Gate; tls: TlsContexts }

/** Connecting costs both ends a TLS handshake: a few at a time keep the machine responsive. */
const connectsAtOnce = 8

export function createBoardHouse(parts: Partial<BoardHouse> = {}): BoardHouse {
  return {
    clock: parts.clock ?? createClock(),
    random: parts.random ?? Math.random,
    gate: parts.gate ?? createGate(connectsAtOnce),
    tls: parts.tls ?? createTlsContexts()
  }
}

export type BoardOptions = {
  model: ModelCode
  mac: string
  name?: string
  /** Memory by default: gone with the process. */
  flash?: Flash
  house?: BoardHouse
  /** Where the setup page listens; port 0 takes a free one. Null: no page at all (a fleet configures its boards itself). */
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
  readonly model: ModelCode
  readonly name: string
  state(): BoardView
  /** Puts the plug in. Resolves when the setup page listens; the rest of the start goes on by itself. */
  restorePower(): Promise<void>
  /** Pulls the plug: nothing is said, everything but the flash is lost. */
  cutPower(): void
  /** The button of one outlet. False where there is no such outlet, or no power. */
  press(index: number): boolean
  /** The knob of a fan, 0 to 255; 0 switches it off. False where there is no fan, or no power. */
  turn(index: number, speed: number): boolean
  setFaults(patch: FaultPatch): void
  /** The setup form without its page. False outside setup mode. */
  configure(form: SetupForm): boolean
  /** Held for ten seconds, the first button erases the flash; the board starts again as new. */
  factoryReset(): Promise<void>
  /** For a board that is thrown away, after `close`. */
  eraseFlash(): void
  history(): HistoryEntry[]
  /** Calls back after every change. Returns the undo. */
  onChange(listener: () => void): () => void
  /** Resolves once the board is connected; rejects with what it is at instead after `timeoutMs` of real time. */
  whenOnline(timeoutMs?: number): Promise<void>
  /** Goes down in order and closes everything it holds. */
  close(): Promise<void>
}

export function createBoard(options: BoardOptions): Board {
  const mac = canonicalMac(options.mac)
  if (mac === null) throw new Error(`${options.mac} is not a MAC address`)
  const model = boardModels[options.model]
  const name = options.name ?? model.title
  const flash = options.flash ?? createMemoryFlash(mac)
  const house = options.house ?? createBoardHouse()
  const { clock, random } = house
  const faults = createFaults(clock, random, options.faults)
  const history = createHistory(options.historyLimit ?? 1000)
  const listeners = new Set<() => void>()
  let power: PowerUp | null = null
  let setupServer: Server | null = null
  let setupPort = options.setup?.port ?? 0
  let firmware: FirmwareProgress | null = null

  function changed(): void {
    for (const listener of listeners) listener()
  }

  function start(): PowerUp {
    const started = createPowerUp({
      mac: canonicalMac(options.mac) ?? options.mac,
      model,
      flash,
      ...house,
      faults,
      history,
      localIp: localIpOf(mac ?? options.mac),
      joinMs: options.joinMs ?? 0,
      newId: (length) => randomBytes(length).toString('base64url').slice(0, length),
      changed,
      firmwareProgress(progress) {
        firmware = progress
      },
      reboot: () => void reboot()
    })
    power = started
    started.boot()
    return started
  }

  async function reboot(): Promise<void> {
    await power?.stop()
    if (power !== null) start()
  }

  async function listen(): Promise<void> {
    const where = options.setup ?? null
    if (where === null || setupServer !== null) return
    const server = createSetupServer({
      subject: { mac: mac ?? options.mac, title: name },
      endsAt: () => power?.setupEndsAt() ?? null,
      now: () => clock.now(),
      accept: (form) => power?.configure(form) ?? false
    })
    await listenOn(server, where.host, setupPort)
    setupServer = server
    setupPort = addressOf(server)?.port ?? setupPort
    changed()
  }

  function closeSetup(): void {
    setupServer?.close()
    setupServer?.closeAllConnections()
    setupServer = null
  }

  const board: Board = {
    mac,
    model: options.model,
    name,
    state: () => view(),
    async restorePower() {
      if (power !== null) return
      history.add({ at: clock.now(), kind: 'event', what: 'power on' })
      start()
      changed()
      await listen()
    },
    cutPower() {
      if (power === null) return
      power.cut()
      power = null
      closeSetup()
      history.add({ at: clock.now(), kind: 'event', what: 'power cut' })
      changed()
    },
    press(index) {
      if (power?.device() == null || model.outlets[index] === undefined) return false
      power.dispatch({ kind: 'pressed', index })
      return true
    },
    turn(index, speed) {
      if (power?.device() == null || model.outlets[index] !== 'fan') return false
      power.dispatch({ kind: 'turned', index, speed })
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
      history.add({ at: clock.now(), kind: 'event', what: 'factory reset' })
      await board.restorePower()
    },
    eraseFlash: () => flash.erase(),
    history: () => history.list(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    whenOnline: (timeoutMs = 15_000) => when(() => board.state().phase === 'online', timeoutMs),
    async close() {
      const stopping = power
      power = null
      closeSetup()
      await stopping?.stop()
      changed()
    }
  }

  function when(condition: () => boolean, timeoutMs: number): Promise<void> {
    if (condition()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const undo = board.onChange(() => {
        if (!condition()) return
        clearTimeout(timer)
        undo()
        resolve()
      })
      const timer = setTimeout(() => {
        undo()
        const { phase, detail } = board.state()
        reject(
          new Error(`${mac} is not online after ${timeoutMs} ms but ${phase}${detail === null ? '' : `: ${detail}`}`)
        )
      }, timeoutMs)
    })
  }

  function view(): BoardView {
    const device = power?.device() ?? null
    const record = power?.record() ?? null
    // Relays fall off without power; what the flash remembers shows when it is back.
    const outputs = device?.outputs ?? {
      switch: model.outlets.map(() => false),
      speed: model.outlets.map((kind) => (kind === 'fan' ? factoryFanSpeed : 0))
    }
    return {
      mac: mac ?? options.mac,
      name,
      model: options.model,
      title: model.title,
      hwModel: model.hwModel,
      powered: power !== null,
      phase: power?.phase() ?? 'off',
      detail: power?.detail() ?? null,
      notice: power?.notice() ?? null,
      outlets: model.outlets.map((kind, index) => ({
        index,
        kind,
        on: outputs.switch[index] ?? false,
        speed: outputs.speed[index] ?? 0
      })),
      switch: [...outputs.switch],
      speed: [...outputs.speed],
      activeColor: record?.config?.activeColor ?? null,
      paired: (record ?? flash.load().record).credentials !== null,
      deviceId: record?.credentials?.deviceId ?? null,
      setupUrl:
        setupServer === null || options.setup == null ? null : `http://${hostForUrl(options.setup.host)}:${setupPort}/`,
      setupEndsAt: power?.setupEndsAt() ?? null,
      osVersion: device?.osVersion ?? factoryVersion,
      bootId: device?.bootId ?? null,
      conn: device?.link.conn ?? 0,
      unacknowledged: device?.reports.pending.length ?? 0,
      configRev: device === null ? null : device.config.rev,
      schedulesRev: device?.timetable?.rev ?? null,
      timezone: record?.config?.timezone ?? null,
      firmware: power === null ? null : firmware,
      faults: faults.settings()
    }
  }

  return board
}

/** A plausible address in the house's network, always the same for the same board. */
function localIpOf(mac: string): string {
  const [low = 0, high = 0] = mac
    .split(':')
    .slice(-2)
    .map((part) => Number.parseInt(part, 16))
  return `192.168.${high % 4}.${2 + (low % 250)}`
}

const hostForUrl = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

function addressOf(server: Server): AddressInfo | null {
  const address = server.address()
  return typeof address === 'object' ? address : null
}

/** Listens on the wished port, or on a free one where that is taken. */
async function listenOn(server: Server, host: string, port: number): Promise<void> {
  const attempt = (wished: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(wished, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  try {
    await attempt(port)
  } catch (error) {
    if (port === 0) throw error
    await attempt(0)
  }
}
