import type { UpTopic } from '@batti/contracts'
import { sleep } from '@batti/kit/clock'
import { factoryVersion } from '../firmware/firmware-update.ts'
import type { Phase } from '../board/board-phase.ts'
import { emptyConfig, type DeviceEvent, type DeviceState } from '../device/device-state.ts'
import { farewell } from '../device/device.ts'
import type { Memory } from '../board/memory.ts'
import { keptCredentials, onboard } from './onboarding.ts'
import type { PowerUpParts } from '../board/power-up-parts.ts'
import type { Link } from './link.ts'
import { createUplink } from './uplink.ts'

export interface NetworkOptions {
  parts: PowerUpParts
  memory: Memory
  phase: Phase
  /** Aborted when the power is cut. */
  signal: AbortSignal
  /** Null while the board boots. */
  state(): DeviceState | null
  /** Sets the broker's address, which the server sent with the credential. */
  setBroker(mqtt: DeviceState['config']['mqtt']): void
  dispatch(event: DeviceEvent): void
  /** Called when the board is online, to resume an interrupted download. */
  online(): void
  /** Called when the server has refused this board. */
  unpaired(): void
}

/** Connects a running board to the server: Wi-Fi, pairing for a credential, MQTT. It ends when the power is cut. */
export function createNetwork(options: NetworkOptions) {
  const { parts, memory, phase, signal, state, dispatch } = options
  const { shared, model, faults, history } = parts
  const { clock, random } = shared
  const { enter } = phase
  let uplink: Link | null = null
  let attempt = new AbortController()

  /** Ends the connection and whatever was begun to get one. Returns a signal that ends the next attempt. */
  function startOver(): AbortSignal {
    drop()
    attempt.abort()
    attempt = new AbortController()
    return AbortSignal.any([signal, attempt.signal])
  }

  async function join(): Promise<void> {
    const ended = startOver()
    if (faults.settings().offline) return enter('joining', 'No Wi-Fi in reach.')
    if (faults.settings().update === 'boot-fails' && memory.record().firmware.trial !== null)
      return enter('joining', 'The new version does not get anywhere.')
    enter('joining')
    await sleep(clock, parts.joinMs, ended)
    if (ended.aborted) return
    if (memory.record().credentials === null) await pair(null, ended)
    else connect()
  }

  /** Requests a credential from the server; with `deviceToken`, asks whether the server still knows the board. */
  async function pair(deviceToken: string | null, ended: AbortSignal): Promise<void> {
    const onRefused = (why: string): void => enter('pairing', why)
    enter('pairing', deviceToken === null ? null : 'Asking the server whether it still knows this board.')
    const osVersion = state()?.osVersion ?? factoryVersion
    const answer = await onboard(memory.record(), deviceToken, {
      model,
      osVersion,
      clock,
      random,
      signal: ended,
      gate: shared.gate,
      onRefused
    })
    if (answer === null || state() === null || ended.aborted) return
    if ('refused' in answer) return forget(answer.refused)
    // Without an answer, keep the credential and try the broker again: its refusal may have been temporary.
    if ('unreached' in answer) return connect()
    const { pairing, config } = memory.record()
    options.setBroker({ host: answer.mqttHost, port: answer.mqttPort })
    memory.keep({
      credentials: keptCredentials(answer),
      pairing: pairing === null ? null : { ...pairing, nonce: parts.newId(24) },
      mqttBefore: config?.mqtt ?? null
    })
    connect()
  }

  /** Forgets the pairing. The board must be set up again after the next power-up. */
  function forget(why: string): void {
    options.unpaired()
    memory.keep({ config: null, pairing: null, credentials: null, timetable: null, mqttBefore: null })
    enter('refused', `${why} Pull the plug and put it back to set this board up again.`)
  }

  function connect(): void {
    const { credentials } = memory.record()
    if (credentials === null || state() === null) return
    enter('connecting')
    uplink = createUplink({
      ...shared,
      credentials,
      caPem: () => memory.record().credentials?.caPem ?? credentials.caPem,
      faults,
      history,
      addresses: () => ({ now: brokerOf(state()), before: memory.record().mqttBefore }),
      connecting() {
        dispatch({ kind: 'connecting' })
        return lastMessage()
      },
      connected(address) {
        // A new address that works needs no fallback. A fallback address in use is kept.
        if (address === state()?.config.mqtt && memory.record().mqttBefore !== null) memory.keep({ mqttBefore: null })
        enter('online')
        dispatch({ kind: 'connected', jitter: random() })
        options.online()
      },
      received: (topic, payload) => dispatch({ kind: 'received', topic, payload }),
      lost(loss) {
        enter('connecting', loss.detail)
        dispatch({ kind: 'disconnected', heardAt: loss.heardAt ?? clock.now() })
      },
      unwanted: () => void pair(credentials.password, startOver())
    })
  }

  function lastMessage(): object {
    const now = state()
    return now === null ? {} : farewell(now)
  }

  function drop(): void {
    uplink?.cut()
    uplink = null
  }

  return {
    join,
    publish: (topic: UpTopic, payload: object): void => uplink?.publish(topic, payload),
    reconnect: (): void => uplink?.reconnect(),
    /** Call this when the Wi-Fi was lost or came back. */
    changed(): void {
      if (faults.settings().offline) dispatch({ kind: 'disconnected', heardAt: clock.now() })
      void join()
    },
    /** Ends the connection without a farewell. */
    cut: (): void => uplink?.cut(),
    close: async (): Promise<void> => uplink?.close(lastMessage())
  }
}

const brokerOf = (state: DeviceState | null): DeviceState['config']['mqtt'] => state?.config.mqtt ?? emptyConfig.mqtt

export type Network = ReturnType<typeof createNetwork>
