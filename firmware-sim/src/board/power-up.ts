import { statesToWire } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { createPhase } from './board-phase.ts'
import { performEffect } from './device-effects.ts'
import { emptyConfig, type DeviceSeed } from '../device/device-state.ts'
import { powerOn } from '../device/device.ts'
import { chooseImage, createUpdater, factoryVersion, type Updater } from '../firmware/firmware-update.ts'
import { storedOutlets, type FlashRecord } from './flash-record.ts'
import { downloadCredential } from '../network/onboarding.ts'
import { createMemory, type Memory } from './memory.ts'
import { createNetwork } from '../network/network.ts'
import type { PowerUp, PowerUpParts } from './power-up-parts.ts'
import { createRunningDevice, type RunningDevice } from './running-device.ts'
import { bestOffset } from '../device/server-clock.ts'
import { configFromForm } from '../setup/setup-form.ts'
import { createSetupMode } from '../setup/setup-mode.ts'

/** A new version that has not reached the server after this long is rolled back. */
const trialMs = 3 * minuteMs

/** Switches the power on. The board boots in the background and calls `changed` after each step. Power-off ends its state. */
export function createPowerUp(parts: PowerUpParts): PowerUp {
  const { shared, flash, history } = parts
  const { clock } = shared
  const life = new AbortController()
  const { signal } = life
  const phase = createPhase(clock, history, () => parts.changed())
  const setupMode = createSetupMode(phase, clock, signal)
  const memory = createMemory(flash, clock, live)
  let configured = memory.record().credentials !== null
  const device = createRunningDevice({
    clock,
    signal,
    perform: (effect, before) => performEffect(effect, before, { parts, memory, network, updater }),
    changed: () => parts.changed()
  })
  const updater = updaterOf(parts, memory, device, signal)
  const network = createNetwork({
    parts,
    memory,
    phase,
    signal,
    state: device.state,
    setBroker: (mqtt) => device.configure({ mqtt }),
    dispatch: device.dispatch,
    online: () => updater.resume(),
    unpaired() {
      configured = false
    }
  })

  /** Returns the live state that is newer than the record. */
  function live(): Partial<FlashRecord> {
    const state = device.state()
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
    if (signal.aborted) return
    if (firmware !== before) memory.keep({ firmware })
    if (firmware.trial !== null)
      signal.addEventListener(
        'abort',
        clock.after(trialMs, () => updater.giveUpTrial())
      )
    // A form that never led to a credential may contain a typing error. Drop it, so that the user can try again.
    if (!configured && memory.record().config !== null) memory.keep({ config: null, pairing: null })
    device.start(powerOn(seedOf(memory.record(), version, parts), clock.now()))
    if (configured) await network.join()
    else setupMode.open()
  }

  void boot()

  return {
    status: () => ({ ...phase.status(), notice: memory.damage, setupEndsAt: setupMode.endsAt() }),
    device: device.state,
    record: () => memory.record(),
    dispatch: device.dispatch,
    configure(form) {
      if (!setupMode.isOpen() || device.state() === null) return false
      configured = true
      device.configure(configFromForm(form))
      const pairing = { userId: form.userId, authPath: form.otherUrl, nonce: parts.newId(24) }
      memory.keep({ pairing, credentials: null, mqttBefore: null })
      void network.join()
      return true
    },
    networkChanged() {
      if (configured && device.state() !== null) network.changed()
    },
    cut() {
      life.abort()
      device.stop()
      memory.lose()
      network.cut()
    },
    async stop() {
      memory.settle()
      device.stop()
      life.abort()
      await network.close()
    }
  }
}

/** Builds the initial state of the device. `version` null is the factory version. */
function seedOf(record: FlashRecord, version: string | null, parts: PowerUpParts): DeviceSeed {
  return {
    outlets: storedOutlets(record, parts.model.outlets),
    bootId: parts.newId(16),
    osVersion: version ?? factoryVersion,
    localIp: parts.localIp,
    rssi: -45 - Math.floor(parts.shared.random() * 25),
    config: record.config ?? emptyConfig,
    timetable: record.timetable,
    rememberedOffset: record.serverOffsetMs,
    firmwareOutcome: record.firmware.outcome
  }
}

/** Creates the updater of one power-up. It stores its progress in the record, and the device reports it to the server. */
function updaterOf(parts: PowerUpParts, memory: Memory, device: RunningDevice, signal: AbortSignal): Updater {
  const { shared, model, flash, faults } = parts
  return createUpdater({
    images: flash.images,
    clock: shared.clock,
    random: shared.random,
    signal,
    firmware: () => memory.record().firmware,
    credentialFor: (url) => downloadCredential(memory.record(), url),
    save(change) {
      const outcome = device.state()?.firmwareOutcome ?? null
      memory.keep({ firmware: { ...memory.record().firmware, outcome, ...change } })
    },
    progress(progress) {
      parts.firmwareProgress(progress)
      device.dispatch({ kind: 'firmware', progress })
    },
    reboot: () => parts.reboot(),
    hwModel: model.hwModel,
    trustedKeys: shared.trustedKeys,
    fault: () => faults.settings().update,
    cutPower: () => parts.cutPower()
  })
}
