import { statesToWire } from '@batti/contracts'
import { factoryVersion } from './board-models.ts'
import { createPhase } from './board-phase.ts'
import { emptyConfig, type DeviceEffect, type DeviceEvent, type DeviceState } from './device-state.ts'
import { nextWakeAt, powerOn, step } from './device.ts'
import { chooseImage, createUpdater } from './firmware-update.ts'
import { storedOutlets, type FlashRecord } from './flash-record.ts'
import { downloadCredential } from './onboarding.ts'
import { createMemory } from './memory.ts'
import { createNetwork } from './network.ts'
import type { PowerUp, PowerUpParts } from './power-up-parts.ts'
import { bestOffset } from './server-clock.ts'
import { configFromForm } from './setup-form.ts'
import { createWake } from './wake.ts'

/** Setup mode lasts this long after the power came on. */
export const setupModeMs = 10 * 60_000
/** A new version that has not reached the server after this long makes way for the one before. */
const trialMs = 3 * 60_000

/** Puts the power on. The board boots by itself; `changed` tells each step. Its state ends with the power. */
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
  const network = createNetwork({
    parts,
    memory,
    phase,
    signal: life.signal,
    state: () => state,
    setBroker(mqtt) {
      if (state !== null) state = { ...state, config: { ...state.config, mqtt } }
    },
    dispatch,
    online: () => updater.resume(),
    unpaired() {
      configured = false
    }
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
    if (configured) await network.join()
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
        return network.publish(effect.topic, effect.payload)
      case 'persist':
        return effect.urgent ? memory.keep({}) : memory.keepSoon()
      case 'reconnect':
        memory.keep({ mqttBefore: before.config.mqtt })
        return network.reconnect()
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
      void network.join()
      return true
    },
    networkChanged() {
      if (configured && state !== null) network.changed()
    },
    cut() {
      life.abort()
      wake.cancel()
      memory.lose()
      network.cut()
    },
    async stop() {
      memory.settle()
      wake.cancel()
      life.abort()
      await network.close()
    }
  }
}
