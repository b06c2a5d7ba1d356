import type { DeviceLinkOptions } from './link-options.ts'
import type { ChangeCause } from '@batti/contracts'
import { systemClock } from '@batti/kit/clock'
import { createCommandGate } from '../commands/command-gate.ts'
import { commandNotices } from '../commands/command-notices.ts'
import { createCommands } from '../commands/commands.ts'
import { createPeers } from '../peers/peers.ts'
import type { CommandRequest, LiveDevice, SentCommand } from '../registry/live-device.ts'
import { createBoardMemory } from './board-memory.ts'
import { createBoardPresence } from './board-presence.ts'
import { createDownlink } from './downlink.ts'
import { createIntake } from './intake.ts'
import { createPushes } from './pushes.ts'
import { createPeriodicWork } from './periodic-work.ts'

/** The link between this process and the boards: commands down, reports up, and presence. */
export function createDeviceLink(options: DeviceLinkOptions) {
  const { clock, registry, store, metrics, cluster, wantsShare } = options
  const backListeners: (() => void)[] = []
  const downlink = createDownlink(clock, {
    onTurn: () => peers.linkTurned(),
    onBack() {
      for (const listener of backListeners) listener()
    }
  })
  const peers = createPeers({ cluster, clock, isSplit: () => wantsShare && cluster.isUp(), downlink })
  const presence = createBoardPresence({ ...options, peers, leases: cluster.leases })
  const gate = createCommandGate()
  const commands = createCommands({
    ...options,
    ...commandNotices(options),
    publish: (deviceId, command) => downlink.publish(deviceId, 'switch-update', command)
  })
  const intake = createIntake({ ...options, downlink, peers, presence, commands })
  const { forgetUnused, ...memory } = createBoardMemory({ registry, store, forgetBoard })
  const periodicWork = createPeriodicWork({
    ...options,
    sweep,
    wasSuspended: downlink.hearAnew,
    timers: systemClock,
    isAwaiting: () => commands.pendingCount() > 0,
    forgetUnused
  })
  let isStopped = false

  function openLink(): void {
    const isShared = peers.isSplit()
    downlink.open((handlers) =>
      options.openLink({ ...handlers, isShared, onMessage: intake.takeMessage, onPeer: intake.takeFromPeer })
    )
  }

  function forgetBoard(device: LiveDevice): void {
    registry.forget(device.id)
    presence.forget(device)
    intake.forget(device.id)
  }

  function sweep(): void {
    commands.sweep()
    presence.sweep(downlink.hearingSince())
    intake.sweep()
  }

  return {
    async start(): Promise<void> {
      // Not awaited, because counting a hundred thousand boards takes a while and nothing waits for the metric.
      periodicWork.countBoards()
      await store.expireForgottenCommands(new Date(clock.now()))
      if (isStopped) return
      openLink()
      if (wantsShare)
        cluster.onTurn(() => {
          if (isStopped) return
          presence.turned()
          openLink()
        })
      periodicWork.start()
    },
    async stop(): Promise<void> {
      isStopped = true
      periodicWork.stop()
      await store.drain()
      await downlink.stop()
    },
    isUp: downlink.isUp,
    /** Calls the listener each time the link is up after there was none. */
    onBack: (listener: () => void): void => void backListeners.push(listener),
    /** Whether boards' messages are currently split among the instances. */
    isSplit: peers.isSplit,
    /** Notes that a screen of this instance shows a board, or that none does any more. */
    noteShown: peers.noteShown,
    /** Called before a call is answered: see `ActiveCallers`. */
    catchUp: peers.catchUp,
    /** When the link to the broker was last established, on the monotonic clock; null while it is down. */
    upSince: downlink.upSince,
    /** @throws AppError DEVICE_OFFLINE, UNAVAILABLE, or CONFLICT while the board takes no commands. */
    send(request: CommandRequest, cause: ChangeCause): SentCommand {
      gate.pass(request.device.id)
      return commands.send(request, cause)
    },
    addCommandCheck: gate.addCheck,
    ...createPushes({ downlink, registry, presence }),
    /** Removes a board that is gone for good from memory. */
    forget(deviceId: string): void {
      const device = registry.peek(deviceId)
      if (device?.isOnline === true) metrics.onlineDevices.dec()
      // One that is just being read is not known yet.
      if (device === undefined) registry.forget(deviceId)
      else forgetBoard(device)
      commands.forget(deviceId)
    },
    forgetPerson: commands.forgetPerson,
    /** For whole-system tests, and for tests with a controlled clock. */
    sweep,
    forgetUnused,
    ...memory
  }
}
