import { statesToWire } from '@batti/contracts'
import { sleep } from '@batti/kit/clock'
import { factoryVersion } from './board-models.ts'
import { createPhase } from './board-phase.ts'
import { emptyConfig, type DeviceEffect, type DeviceEvent, type DeviceState } from './device-state.ts'
import { farewell, nextWakeAt, powerOn, step } from './device.ts'
import { chooseImage, createUpdater } from './firmware-update.ts'
import { storedOutlets, type FlashRecord } from './flash-record.ts'
import { downloadCredential, keptCredentials, onboard } from './onboarding.ts'
import { createMemory } from './memory.ts'
import type { PowerUp, PowerUpParts } from './power-up-parts.ts'
import { bestOffset } from './server-clock.ts'
import { configFromForm } from './setup-form.ts'
import { createUplink, type Uplink } from './uplink.ts'
import { createWake } from './wake.ts'

/** Setup mode lasts this long after the power came on. */
export const setupModeMs = 10 * 60_000
/** A new version that has not reached the server after this long makes way for the one before. */
const trialMs = 3 * 60_000

/**
 * Puts the power on. The board boots by itself; `changed` tells each step. The longest function of the sim, and one piece:
 * all of it shares one state, which ends with the power.
 */
export function createPowerUp(parts: PowerUpParts): PowerUp {
  const { house, model, flash, faults, history } = parts
  const { clock, random } = house
  const bootedAt = clock.now()
  const life = new AbortController()
  const memory = createMemory(flash, clock, live)
  let configured = memory.record().credentials !== null
  const phase = createPhase(clock, history, () => parts.changed())
  const { enter } = phase
  const wake = createWake(clock, () => dispatch({ kind: 'tick' }))
  let state: DeviceState | null = null
  let uplink: Uplink | null = null
  const updater = createUpdater({
    images: flash.images,
    clock,
    random,
    signal: life.signal,
    firmware: () => memory.record().firmware,
    credentialFor: (url) => downloadCredential(memory.record(), url),
    save: (change) =>
      memory.keep({ firmware: { ...memory.record().firmware, outcome: state?.firmwareOutcome ?? null, ...change } }),
    progress(progress) {
      parts.firmwareProgress(progress)
      dispatch({ kind: 'firmware', progress })
    },
    reboot: () => parts.reboot(),
    hwModel: model.hwModel,
    trustedKeys: house.trustedKeys,
    fault: () => faults.settings().update,
    cutPower: () => parts.cutPower()
  })

  /** What the running board knows better than the record. */
  function live(): Partial<FlashRecord> {
    if (state === null) return {}
    const { config, timetable, outlets, clock: serverClock, firmwareOutcome } = state
    return {
      ...(configured ? { config } : {}),
      timetable,
      outputs: statesToWire(outlets),
      serverOffsetMs: bestOffset(serverClock),
      firmware: { ...memory.record().firmware, outcome: firmwareOutcome }
    }
  }

  async function boot(): Promise<void> {
    const before = memory.record().firmware
    const { version, firmware } = await chooseImage(before, flash.images)
    if (life.signal.aborted) return
    if (firmware !== before) memory.keep({ firmware })
    if (firmware.trial !== null)
      life.signal.addEventListener(
        'abort',
        clock.after(trialMs, () => updater.giveUpTrial())
      )
    // A form that never led to a credential may hold a typing error: it is forgotten, so that there is a way out of it.
    if (!configured && memory.record().config !== null) memory.keep({ config: null, pairing: null })
    const record = memory.record()
    state = powerOn(
      {
        outlets: storedOutlets(record, model.outlets),
        bootId: parts.newId(16),
        osVersion: version ?? factoryVersion,
        localIp: parts.localIp,
        rssi: -45 - Math.floor(random() * 25),
        config: record.config ?? emptyConfig,
        timetable: record.timetable,
        rememberedOffset: record.serverOffsetMs,
        firmwareOutcome: record.firmware.outcome
      },
      clock.now()
    )
    rearm()
    if (configured) await joinNetwork()
    else openSetup()
  }

  function openSetup(): void {
    enter('setup')
    const end = (): void => {
      if (phase.get() === 'setup' && !life.signal.aborted)
        enter('setup-over', 'Pull the plug and put it back for ten more minutes.')
    }
    life.signal.addEventListener('abort', clock.after(setupModeMs, end))
  }

  async function joinNetwork(): Promise<void> {
    if (faults.settings().offline) return enter('joining', 'No Wi-Fi in reach.')
    if (faults.settings().update === 'boot-fails' && memory.record().firmware.trial !== null)
      return enter('joining', 'The new version does not get anywhere.')
    enter('joining')
    await sleep(clock, parts.joinMs, life.signal)
    if (life.signal.aborted || faults.settings().offline || uplink !== null) return
    if (memory.record().credentials === null) await pair(null)
    else connect()
  }

  /** Asks the server for a credential; with `deviceToken`, whether it still knows the board. */
  async function pair(deviceToken: string | null): Promise<void> {
    const told = (why: string): void => enter('pairing', why)
    enter('pairing', deviceToken === null ? null : 'Asking the server whether it still knows this board.')
    const osVersion = state?.osVersion ?? factoryVersion
    const answer = await onboard(memory.record(), deviceToken, {
      model,
      osVersion,
      clock,
      random,
      signal: life.signal,
      gate: house.gate,
      told
    })
    if (answer === null || state === null || life.signal.aborted) return
    if ('refused' in answer) return forget(answer.refused)
    // Whatever made the broker refuse may have passed; the credential is still the board's.
    if ('unreached' in answer) return connect()
    const { pairing, config } = memory.record()
    state = { ...state, config: { ...state.config, mqtt: { host: answer.mqttHost, port: answer.mqttPort } } }
    memory.keep({
      credentials: keptCredentials(answer),
      pairing: pairing === null ? null : { ...pairing, nonce: parts.newId(24) },
      mqttBefore: config?.mqtt ?? null
    })
    connect()
  }

  /** The server does not want this board: it has to be set up again, which starts with the next power-up. */
  function forget(why: string): void {
    configured = false
    memory.keep({ config: null, pairing: null, credentials: null, timetable: null, mqttBefore: null })
    enter('refused', `${why} Pull the plug and put it back to set this board up again.`)
  }

  function connect(): void {
    const { credentials } = memory.record()
    if (credentials === null || state === null) return
    enter('connecting')
    uplink = createUplink({
      ...house,
      credentials,
      caPem: () => memory.record().credentials?.caPem ?? credentials.caPem,
      faults,
      history,
      addresses: () => ({ now: state?.config.mqtt ?? emptyConfig.mqtt, before: memory.record().mqttBefore }),
      connecting() {
        dispatch({ kind: 'connecting' })
        return state === null ? {} : farewell(state)
      },
      connected(address) {
        // A new address that works needs no way back; the way back, once taken, is not forgotten.
        if (address === state?.config.mqtt && memory.record().mqttBefore !== null) memory.keep({ mqttBefore: null })
        enter('online')
        dispatch({ kind: 'connected', jitter: random() })
        updater.resume()
      },
      received: (topic, payload) => dispatch({ kind: 'received', topic, payload }),
      lost(loss) {
        enter('connecting', loss.detail)
        dispatch({ kind: 'disconnected', heardAt: loss.heardAt ?? clock.now() })
      },
      unwanted() {
        cutUplink()
        void pair(credentials.password)
      }
    })
  }

  function cutUplink(): void {
    uplink?.cut()
    uplink = null
  }

  function dispatch(event: DeviceEvent): void {
    if (state === null || life.signal.aborted) return
    const { state: next, effects } = step(state, event, clock.now())
    const before = state
    state = next
    for (const effect of effects) perform(effect, before)
    rearm()
    parts.changed()
  }

  function perform(effect: DeviceEffect, before: DeviceState): void {
    switch (effect.kind) {
      case 'publish':
        return uplink?.publish(effect.topic, effect.payload)
      case 'persist':
        return effect.urgent ? memory.keep({}) : memory.keepSoon()
      case 'reconnect':
        memory.keep({ mqttBefore: before.config.mqtt })
        return uplink?.reconnect()
      case 'trust':
        return trust(effect.caPem)
      case 'download':
        return updater.start(effect.update)
      case 'server-reached':
        return serverReached()
      case 'ignored':
        return history.add({ at: clock.now(), kind: 'event', what: `ignored ${effect.topic}: ${effect.reason}` })
    }
  }

  function trust(caPem: string): void {
    const { credentials } = memory.record()
    if (credentials !== null && credentials.caPem !== caPem) memory.keep({ credentials: { ...credentials, caPem } })
  }

  function serverReached(): void {
    const { update } = faults.settings()
    if (updater.prove() && (update === 'silent' || update === 'slower')) parts.spoil(update)
  }

  function rearm(): void {
    if (state !== null) wake.arm(nextWakeAt(state))
  }

  void boot()

  return {
    status: () => ({
      ...phase.status(),
      notice: memory.damage,
      setupEndsAt: phase.get() === 'setup' ? bootedAt + setupModeMs : null
    }),
    device: () => state,
    record: () => memory.record(),
    dispatch,
    configure(form) {
      if (phase.get() !== 'setup' || state === null || clock.now() >= bootedAt + setupModeMs) return false
      configured = true
      state = { ...state, config: configFromForm(form) }
      const pairing = { userId: form.userId, authPath: form.otherUrl, nonce: parts.newId(24) }
      memory.keep({ pairing, credentials: null, mqttBefore: null })
      void joinNetwork()
      return true
    },
    networkChanged() {
      if (!configured || state === null) return
      if (!faults.settings().offline) return void joinNetwork()
      cutUplink()
      dispatch({ kind: 'disconnected', heardAt: clock.now() })
      enter('joining', 'No Wi-Fi in reach.')
    },
    cut() {
      life.abort()
      wake.cancel()
      memory.lose()
      uplink?.cut()
    },
    async stop() {
      memory.settle()
      wake.cancel()
      life.abort()
      await uplink?.close(state === null ? {} : farewell(state))
    }
  }
}
