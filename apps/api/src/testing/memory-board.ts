import type {
  AckPayload,
  ConfigUpdatePayload,
  DeviceReport,
  FirmwareUpdatePayload,
  SchedulesPayload,
  SwitchUpdatePayload
} from '@batti/contracts'

/** A board in memory: it applies messages and reports, as the protocol requires. */
export interface MemoryBoard {
  state: boolean[]
  /** Commands that it received, in order. */
  commands: SwitchUpdatePayload[]
  schedules: SchedulesPayload[]
  configs: ConfigUpdatePayload[]
  /** Updates that it received; it does nothing with them by itself. */
  updates: FirmwareUpdatePayload[]
  acks: AckPayload[]
  /** Receives commands, but does nothing. */
  isMute: boolean
  connect(): void
  /** Sends its last will, so that the server learns at once. */
  disconnect(): void
  report(fields: Partial<DeviceReport>): void
}

/** Publishes a message of one board. */
type PublishUp = (name: 'status' | 'update-from-device', payload: unknown) => void

/** Returns the board, and what its connection does. */
export function createMemoryBoard(deviceId: string, outlets: number, up: PublishUp) {
  const bootId = `boot-${deviceId.slice(-12)}`
  const speed = Array.from({ length: outlets }, () => 0)
  let seq = 0
  let conn = 0
  let isConnected = false
  const board: MemoryBoard = {
    state: Array.from({ length: outlets }, () => false),
    commands: [],
    schedules: [],
    configs: [],
    updates: [],
    acks: [],
    isMute: false,
    connect() {
      isConnected = true
      up('status', { online: true, bootId, conn: (conn += 1) })
      board.report({ cause: seq === 0 ? 'boot' : 'resync' })
    },
    disconnect() {
      up('status', { online: false, bootId, conn })
      isConnected = false
    },
    report(fields) {
      up('update-from-device', { bootId, seq: (seq += 1), switch: board.state, speed, cause: 'button', ...fields })
    }
  }

  function apply(command: SwitchUpdatePayload): void {
    board.commands.push(command)
    if (board.isMute) return
    const before = board.state
    board.state = before.map((on, index) => command.set.find((each) => each.index === index)?.on ?? on)
    const changed = board.state.flatMap((on, index) => (on === before[index] ? [] : index))
    const answer = { cause: 'command', commandId: command.id, result: 'applied', changed, switch: board.state } as const
    // Deferred by one turn, as on a real connection: the sender must have finished sending. Another command may come before.
    setImmediate(() => board.report(answer))
  }

  return {
    board,
    /** Ends its connection, together with the broker. */
    drop: () => void (isConnected = false),
    heartbeat(): void {
      if (isConnected) up('status', { online: true, bootId, conn })
    },
    receive(name: string, payload: unknown): void {
      if (!isConnected) return
      if (name === 'ack') board.acks.push(payload as AckPayload)
      if (name === 'schedules') board.schedules.push(payload as SchedulesPayload)
      if (name === 'config-update') board.configs.push(payload as ConfigUpdatePayload)
      if (name === 'firmware-update') board.updates.push(payload as FirmwareUpdatePayload)
      if (name === 'switch-update') apply(payload as SwitchUpdatePayload)
    }
  }
}
