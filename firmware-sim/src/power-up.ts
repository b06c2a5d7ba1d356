import type { DownTopic, FirmwareProgress, SetupForm, UpTopic } from '@batti/contracts'
import { factoryFanSpeed, factoryVersion, type BoardModel } from './board-models.ts'
import type { BoardPhase } from './board-view.ts'
import type { Clock } from './clock.ts'
import { emptyConfig, type Address, type DeviceEffect, type DeviceEvent, type DeviceState } from './device-state.ts'
import { farewell, nextWakeAt, powerOn, step } from './device.ts'
import type { Faults } from './faults.ts'
import { chooseImage, createUpdater } from './firmware-update.ts'
import { storedOutputs, type FlashRecord } from './flash-record.ts'
import type { Flash } from './flash.ts'
import type { Gate } from './gate.ts'
import type { History } from './history.ts'
import { apiUrl } from './http-client.ts'
import { createLink, type Link, type LinkLoss } from './link.ts'
import { keptCredentials, onboard, pause } from './onboarding.ts'
import { bestOffset } from './server-clock.ts'
import { configFromForm } from './setup-form.ts'
import type { TlsContexts } from './tls-contexts.ts'

export type PowerUpParts = {
  mac: string
  model: BoardModel
  flash: Flash
  clock: Clock
  random: () => number
  faults: Faults
  history: History
  gate: Gate
  tls: TlsContexts
  localIp: string
  /** How long joining a Wi-Fi takes, milliseconds. */
  joinMs: number
  newId: (length: number) => string
  changed(): void
  firmwareProgress(progress: FirmwareProgress): void
  /** The board restarts itself. */
  reboot(): void
}

/** One board from the moment its power comes on until it goes; nothing of it but the flash survives. */
export type PowerUp = {
  /** Begins; call once. */
  boot(): void
  phase(): BoardPhase
  detail(): string | null
  notice(): string | null
  device(): DeviceState | null
  record(): FlashRecord
  setupEndsAt(): number | null
  /** Takes what the setup form said, once. False outside setup mode. */
  configure(form: SetupForm): boolean
  dispatch(event: DeviceEvent): void
  networkChanged(): void
  /** Power cut: no good-byes. */
  cut(): void
  /** Goes down in order. */
  stop(): Promise<void>
}

/** Setup mode lasts this long after the power came on. Source: wire §4. */
export const setupModeMs = 10 * 60_000
/** Relays move often and flash wears out: their state is written at most this often. */
const lazySaveMs = 2000
/** So many refused connections in a row, and the board asks the server who it is. */
const refusalsBeforeAsking = 3
/** So many failures at a new MQTT address, and the one before is tried. */
const failuresBeforeFallback = 3

export function createPowerUp(parts: PowerUpParts): PowerUp {
  const { model, flash, clock, random, faults, history } = parts
  const bootedAt = clock.now()
  const loaded = flash.load()
  let { record } = loaded
  let phase: BoardPhase = 'booting'
  let detail: string | null = null
  let state: DeviceState | null = null
  let link: Link | null = null
  let failures = 0
  let refusals = 0
  let savePlanned: (() => void) | null = null
  let wake: { at: number; cancel: () => void } | null = null
  const setupEndsAt = record.config === null ? bootedAt + setupModeMs : null
  let configured = record.config !== null
  const life = new AbortController()
  const updater = createUpdater({
    images: flash.images,
    clock,
    random,
    signal: life.signal,
    firmware: () => record.firmware,
    credentialFor,
    save: (change) =>
      save({ firmware: { ...record.firmware, outcome: state?.firmwareOutcome ?? null, ...change } }, true),
    progress(progress) {
      parts.firmwareProgress(progress)
      dispatch({ kind: 'firmware', progress })
    },
    reboot: parts.reboot
  })

  /** The board's credential goes to the house's own server only, whatever address an image is said to be at. */
  function credentialFor(url: URL): { authorization: string | null; caPem: string | null } {
    const { credentials, config } = record
    if (credentials === null || config === null) return { authorization: null, caPem: null }
    const ours = [apiUrl(config.api, '/').hostname, config.mqtt.host].includes(url.hostname)
    const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
    return { authorization: ours ? `Basic ${basic}` : null, caPem: credentials.caPem }
  }

  function enter(next: BoardPhase, why: string | null = null): void {
    if (next !== phase) history.add({ at: clock.now(), kind: 'event', what: why === null ? next : `${next}: ${why}` })
    phase = next
    detail = why
    parts.changed()
  }

  function save(change: Partial<FlashRecord>, durable: boolean): void {
    const known = state
    record = {
      ...record,
      ...(known === null
        ? {}
        : {
            config: configured ? known.config : record.config,
            timetable: known.timetable,
            outputs: { switch: [...known.outputs.switch], speed: [...known.outputs.speed] },
            serverOffsetMs: bestOffset(known.clock),
            firmware: { ...record.firmware, outcome: known.firmwareOutcome }
          }),
      ...change
    }
    savePlanned?.()
    savePlanned = null
    flash.save(record, durable)
  }

  function saveSoon(): void {
    savePlanned ??= clock.wake(clock.now() + lazySaveMs, () => save({}, false))
  }

  async function boot(): Promise<void> {
    const chosen = await chooseImage(record.firmware, flash.images)
    if (life.signal.aborted) return
    if (chosen.firmware !== record.firmware) save({ firmware: chosen.firmware }, true)
    state = powerOn(
      {
        outlets: model.outlets,
        bootId: parts.newId(16),
        osVersion: chosen.version ?? factoryVersion,
        localIp: parts.localIp,
        rssi: -45 - Math.floor(random() * 25),
        outputs: storedOutputs(record, model.outlets.length, (index) =>
          model.outlets[index] === 'fan' ? factoryFanSpeed : 0
        ),
        config: record.config ?? emptyConfig,
        timetable: record.timetable,
        rememberedOffset: record.serverOffsetMs,
        firmwareOutcome: record.firmware.outcome
      },
      clock.now()
    )
    rearm()
    if (record.config === null) {
      enter('setup')
      clock.wake(
        bootedAt + setupModeMs,
        () => phase === 'setup' && enter('setup-over', 'Pull the plug and put it back for ten more minutes.')
      )
    } else await joinNetwork()
  }

  async function joinNetwork(): Promise<void> {
    if (faults.settings().offline) return enter('joining', 'No Wi-Fi in reach.')
    enter('joining')
    await pause(parts.joinMs, clock, life.signal)
    if (life.signal.aborted || faults.settings().offline) return
    if (record.credentials === null) await pair(null)
    else connect()
  }

  async function pair(deviceToken: string | null): Promise<void> {
    enter('pairing', deviceToken === null ? null : 'Asking the server whether it still knows this board.')
    const { signal } = life
    const osVersion = state?.osVersion ?? factoryVersion
    const answer = await onboard(record, deviceToken, {
      model,
      osVersion,
      clock,
      random,
      signal,
      told: (why) => enter('pairing', why)
    })
    if (answer === null || signal.aborted) return
    if ('refused' in answer) return forget(answer.refused)
    const { mqttHost: host, mqttPort: port } = answer
    const before = state?.config.mqtt ?? null
    if (state !== null) state = { ...state, config: { ...state.config, mqtt: { host, port } } }
    const pairing = record.pairing === null ? null : { ...record.pairing, nonce: parts.newId(24) }
    save({ credentials: keptCredentials(answer), pairing, mqttBefore: before }, true)
    connect()
  }

  /** The server does not want this board: it has to be set up again, which starts with the next power-up. */
  function forget(why: string): void {
    configured = false
    save({ config: null, pairing: null, credentials: null, timetable: null, mqttBefore: null }, true)
    enter('refused', `${why} Pull the plug and put it back to set this board up again.`)
  }

  function connect(): void {
    const { credentials } = record
    if (credentials === null) return
    enter('connecting')
    link = createLink({
      credentials,
      clock,
      random,
      gate: parts.gate,
      tls: parts.tls,
      attempt() {
        dispatch({ kind: 'connecting' })
        return { address: currentAddress(), will: state === null ? {} : farewell(state) }
      },
      connected() {
        failures = refusals = 0
        enter('online')
        dispatch({ kind: 'connected', jitter: random() })
        if (record.mqttBefore !== null) saveSoon()
        updater.resume()
      },
      received: (topic, payload) => inbound(topic, payload),
      lost
    })
  }

  /** The new address first; every few failures the one before gets a turn, so that a wrong address is not for ever. */
  function currentAddress(): Address {
    const mqtt = state?.config.mqtt ?? { host: '', port: 0 }
    const fallback = record.mqttBefore !== null && Math.floor(failures / failuresBeforeFallback) % 2 === 1
    return fallback && record.mqttBefore !== null ? record.mqttBefore : mqtt
  }

  function lost(loss: LinkLoss): void {
    failures += 1
    refusals = loss.refused ? refusals + 1 : 0
    enter('connecting', loss.detail)
    dispatch({ kind: 'disconnected', heardAt: loss.heardAt ?? clock.now() })
    if (refusals < refusalsBeforeAsking || record.credentials === null) return
    refusals = 0
    link?.cut()
    link = null
    void pair(record.credentials.password)
  }

  function inbound(topic: DownTopic, payload: unknown): void {
    const at = clock.now()
    faults.inbound(
      topic === 'ack',
      () => {
        if (life.signal.aborted) return
        history.add({ at, kind: 'received', topic, payload })
        dispatch({ kind: 'received', topic, payload })
      },
      (dropped) => history.add({ at, kind: 'received', topic, payload, dropped })
    )
  }

  function outbound(topic: UpTopic, payload: object): void {
    faults.outbound(
      topic === 'update-from-device',
      () => {
        if (life.signal.aborted) return
        history.add({ at: clock.now(), kind: 'sent', topic, payload })
        link?.publish(topic, payload)
      },
      (dropped) => history.add({ at: clock.now(), kind: 'sent', topic, payload, dropped })
    )
  }

  function dispatch(event: DeviceEvent): void {
    if (state === null || life.signal.aborted) return
    const { state: next, effects } = step(state, event, clock.now())
    state = next
    for (const effect of effects) perform(effect)
    rearm()
    parts.changed()
  }

  function perform(effect: DeviceEffect): void {
    switch (effect.kind) {
      case 'publish':
        return outbound(effect.topic, effect.payload)
      case 'persist':
        return effect.urgent ? save({}, true) : saveSoon()
      case 'reconnect':
        record = { ...record, mqttBefore: currentAddress() }
        return link?.reconnect()
      case 'download':
        return updater.start(effect.update)
      case 'server-reached':
        return updater.prove()
      case 'ignored':
        return history.add({ at: clock.now(), kind: 'event', what: `ignored ${effect.topic}: ${effect.reason}` })
    }
  }

  function rearm(): void {
    if (state === null) return
    const at = nextWakeAt(state)
    // An early tick costs nothing; re-arming after every message would.
    if (wake !== null && wake.at <= at) return
    wake?.cancel()
    wake = null
    if (at < Infinity) wake = { at, cancel: clock.wake(at, tick) }
  }

  function tick(): void {
    wake = null
    dispatch({ kind: 'tick' })
  }

  return {
    boot: () => void boot(),
    phase: () => phase,
    detail: () => detail,
    notice: () => loaded.damage,
    device: () => state,
    record: () => record,
    setupEndsAt: () => (phase === 'setup' ? setupEndsAt : null),
    dispatch,
    configure(form) {
      if (phase !== 'setup' || state === null || clock.now() >= bootedAt + setupModeMs) return false
      configured = true
      state = { ...state, config: configFromForm(form) }
      const pairing = { userId: form.userId, authPath: form.otherUrl, nonce: parts.newId(24) }
      save({ pairing, credentials: null, mqttBefore: null }, true)
      void joinNetwork()
      return true
    },
    networkChanged() {
      if (!faults.settings().offline) return void (phase === 'joining' && joinNetwork())
      if (!configured) return
      link?.cut()
      link = null
      dispatch({ kind: 'disconnected', heardAt: clock.now() })
      enter('joining', 'No Wi-Fi in reach.')
    },
    cut() {
      life.abort()
      wake?.cancel()
      savePlanned?.()
      link?.cut()
    },
    async stop() {
      if (savePlanned !== null) save({}, false)
      wake?.cancel()
      const last = state === null ? {} : farewell(state)
      life.abort()
      await link?.close(last)
    }
  }
}
