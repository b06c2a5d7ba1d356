import {
  clientEvents,
  type ClientEvent,
  type CommandAccepted,
  type RefusedAck,
  type SwitchSetting
} from '@batti/contracts'
import { notFound, tryAgainAfter } from '../../platform/app-error.ts'
import { toAppError } from '../../platform/http/error-handler.ts'
import { parseInput } from '../../platform/http/validate.ts'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { CommandOutcome, LiveDevice } from '../../boards/registry/live-device.ts'
import { acknowledgement, type NoteRefusal } from '../../realtime/socket-answers.ts'
import type { BattiSocket } from '../../platform/sockets.ts'
import { failureOf } from './command-and-wait.ts'

export interface SocketCommandsOptions {
  directory: DeviceDirectory
  commandSwitches: CommandSwitches
  locateSwitch(switchId: string): Promise<{ device: LiveDevice; index: number; switchName: string } | null>
  onRefused: NoteRefusal
}

type Ack = (answer: CommandAccepted | RefusedAck) => void

/** Handles the four command events of a socket: parses, authorizes from memory, sends and acknowledges. */
export function createSocketCommands(options: SocketCommandsOptions) {
  const { directory, commandSwitches } = options

  async function run<Event extends 'toggle-switch' | 'set-fan-speed' | 'toggle-all-switches' | 'toggleSwitch'>(
    socket: BattiSocket,
    event: Event,
    args: unknown[],
    prepare: (payload: unknown) => Prepared | Promise<Prepared>
  ): Promise<void> {
    const ack = acknowledgement<CommandAccepted | RefusedAck>(args)
    let target: LiveDevice | null = null
    try {
      if (!socket.data.limits.mayCommand()) throw tryAgainAfter(1)
      // Awaits only a real promise, so that a command to a board in memory is sent synchronously.
      const preparing = prepare(args[0])
      const prepared = preparing instanceof Promise ? await preparing : preparing
      target = prepared.device
      const sent = commandSwitches.command(socket.data.actor, prepared.device, prepared.set, 'web')
      ack({ ok: true, id: sent.id, expiresAt: sent.expiresAt })
      void sent.ended.then((outcome) => emitEnd(socket, prepared, outcome))
    } catch (error) {
      refuse(socket, event, { error, ack, target })
    }
  }

  function refuse(
    socket: BattiSocket,
    event: ClientEvent,
    context: { error: unknown; ack: Ack; target: LiveDevice | null }
  ): void {
    const { code, message } = toAppError(context.error)
    context.ack({ ok: false, code, message })
    const mayKnow = code !== 'NOT_FOUND' && code !== 'FORBIDDEN'
    if (context.target !== null && mayKnow)
      socket.emit('deviceStatus', { message, deviceMac: context.target.mac, code })
    options.onRefused(socket, event, code)
    if (socket.data.limits.isFlooding()) socket.disconnect(true)
  }

  return function listen(socket: BattiSocket): void {
    const byMac = (mac: string): LiveDevice | Promise<LiveDevice | null> =>
      directory.peekByMac(mac) ?? directory.findByMac(mac)
    const withDevice = (
      mac: string,
      set: (device: LiveDevice | null) => SwitchSetting[]
    ): Prepared | Promise<Prepared> => {
      const found = byMac(mac)
      return found instanceof Promise
        ? found.then((device) => ({ device, set: set(device) }))
        : { device: found, set: set(found) }
    }
    socket.on('toggle-switch', (...args: unknown[]) =>
      run(socket, 'toggle-switch', args, (payload) => {
        const { deviceMac, switchIndex, state } = parseInput(clientEvents['toggle-switch'], payload)
        return withDevice(deviceMac, () => [{ index: switchIndex, on: state }])
      })
    )
    socket.on('set-fan-speed', (...args: unknown[]) =>
      run(socket, 'set-fan-speed', args, (payload) => {
        const { deviceMac, switchIndex, speed } = parseInput(clientEvents['set-fan-speed'], payload)
        return withDevice(deviceMac, () => [{ index: switchIndex, speed }])
      })
    )
    socket.on('toggle-all-switches', (...args: unknown[]) =>
      run(socket, 'toggle-all-switches', args, (payload) => {
        const { deviceMac, state } = parseInput(clientEvents['toggle-all-switches'], payload)
        return withDevice(deviceMac, (device) => (device?.outlets ?? []).map((_, index) => ({ index, on: state })))
      })
    )
    socket.on('toggleSwitch', (...args: unknown[]) =>
      run(socket, 'toggleSwitch', args, async (payload) => {
        const { switchId, state } = parseInput(clientEvents.toggleSwitch, payload)
        const located = await options.locateSwitch(switchId)
        if (located === null) throw notFound('Device')
        const { device, index, switchName } = located
        return { device, set: [{ index, on: state }], toggled: { switchId, switchName, state } }
      })
    )
  }
}

interface Prepared {
  device: LiveDevice | null
  set: SwitchSetting[]
  /** The payload of `switchToggled`, sent to the caller once the board has confirmed. */
  toggled?: { switchId: string; switchName: string; state: boolean }
}

function emitEnd(socket: BattiSocket, prepared: Prepared, outcome: CommandOutcome): void {
  const failure = failureOf(outcome)
  if (failure !== null) {
    const { message, code } = failure
    socket.emit('deviceStatus', { message, deviceMac: prepared.device?.mac ?? '', code })
  } else if (prepared.toggled !== undefined) socket.emit('switchToggled', prepared.toggled)
}
