import type { CommandAccepted, RefusedAck, SwitchSetting } from '@batti/contracts'
import { notFound, tryAgainAfter } from '../../platform/app-error.ts'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { CommandOutcome, LiveDevice } from '../../boards/registry/live-device.ts'
import { acknowledgement, parsePayload, type EventPayload, type RefuseEvent } from '../../realtime/socket-answers.ts'
import type { BattiSocket } from '../../platform/sockets.ts'
import { failureOf } from './command-and-wait.ts'

export interface SocketCommandsOptions {
  directory: DeviceDirectory
  commandSwitches: CommandSwitches
  locateSwitch(switchId: string): Promise<{ device: LiveDevice; index: number; switchName: string } | null>
  refuse: RefuseEvent
}

type CommandEvent = 'toggle-switch' | 'set-fan-speed' | 'toggle-all-switches' | 'toggleSwitch'

/** Handles the four command events of a socket: parses, authorizes from memory, sends and acknowledges. */
export function createSocketCommands(options: SocketCommandsOptions) {
  const { directory, commandSwitches } = options

  async function run(
    socket: BattiSocket,
    event: CommandEvent,
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
      options.refuse(socket, event, {
        error,
        ack(answer) {
          ack(answer)
          emitRefusal(socket, target, answer)
        }
      })
    }
  }

  function withDevice(mac: string, set: (device: LiveDevice | null) => SwitchSetting[]): Prepared | Promise<Prepared> {
    const found = directory.peekByMac(mac) ?? directory.findByMac(mac)
    return found instanceof Promise
      ? found.then((device) => ({ device, set: set(device) }))
      : { device: found, set: set(found) }
  }

  return function listen(socket: BattiSocket): void {
    function on<Event extends CommandEvent>(
      event: Event,
      prepare: (payload: EventPayload<Event>) => Prepared | Promise<Prepared>
    ): void {
      const parse = (payload: unknown) => prepare(parsePayload(event, payload))
      socket.on<string>(event, (...args: unknown[]) => run(socket, event, args, parse))
    }

    on('toggle-switch', ({ deviceMac, switchIndex, state }) =>
      withDevice(deviceMac, () => [{ index: switchIndex, on: state }])
    )
    on('set-fan-speed', ({ deviceMac, switchIndex, speed }) =>
      withDevice(deviceMac, () => [{ index: switchIndex, speed }])
    )
    on('toggle-all-switches', ({ deviceMac, state }) =>
      withDevice(deviceMac, (device) => (device?.outlets ?? []).map((_, index) => ({ index, on: state })))
    )
    on('toggleSwitch', async ({ switchId, state }) => {
      const located = await options.locateSwitch(switchId)
      if (located === null) throw notFound('Device')
      const { device, index, switchName } = located
      return { device, set: [{ index, on: state }], toggled: { switchId, switchName, state } }
    })
  }
}

interface Prepared {
  device: LiveDevice | null
  set: SwitchSetting[]
  /** The payload of `switchToggled`, sent to the caller once the board has confirmed. */
  toggled?: { switchId: string; switchName: string; state: boolean }
}

function emitRefusal(socket: BattiSocket, target: LiveDevice | null, { code, message }: RefusedAck): void {
  const mayKnow = code !== 'NOT_FOUND' && code !== 'FORBIDDEN'
  if (target !== null && mayKnow) socket.emit('deviceStatus', { message, deviceMac: target.mac, code })
}

function emitEnd(socket: BattiSocket, prepared: Prepared, outcome: CommandOutcome): void {
  const failure = failureOf(outcome)
  if (failure !== null) {
    const { message, code } = failure
    socket.emit('deviceStatus', { message, deviceMac: prepared.device?.mac ?? '', code })
  } else if (prepared.toggled !== undefined) socket.emit('switchToggled', prepared.toggled)
}
