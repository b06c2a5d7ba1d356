import {
  upTopic,
  type AckPayload,
  type ConfigUpdatePayload,
  type DeviceReport,
  type FirmwareUpdatePayload,
  type SchedulesPayload,
  type SwitchUpdatePayload
} from '@batti/contracts'
import type { MqttLink } from '../boards/link/mqtt-client.ts'

interface LinkHandlers {
  onMessage(topic: string, payload: Buffer): void
  onPeer(payload: Buffer): void
  onUp(): void
  onDown(): void
  /** Each message goes to only one member of a group, in turn. */
  isShared?: boolean
}

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

/** Carries messages between api links and boards in one process, for tests with a fake clock, where no real broker can run. */
export function createMemoryBroker() {
  const links = new Set<LinkHandlers>()
  const byName = new Map<string, LinkHandlers>()
  const boards = new Map<string, (name: string, payload: unknown) => void>()
  const heartbeats: (() => void)[] = []
  const drops: (() => void)[] = []
  let isUp = true
  let opened = 0

  const up = (deviceId: string, name: 'status' | 'update-from-device', payload: unknown): void => {
    if (!isUp) return
    deliver(upTopic(deviceId, name), payload)
  }
  let turn = 0
  function deliver(topic: string, payload: unknown): void {
    const group = [...links].filter(({ isShared }) => isShared === true)
    const next = group[(turn += 1) % Math.max(1, group.length)]
    const message = Buffer.from(JSON.stringify(payload))
    for (const link of links) if (link.isShared !== true || link === next) link.onMessage(topic, message)
  }

  return {
    /** Links hear every board; a cut link hears nothing and cannot publish. */
    openLink(handlers: LinkHandlers): MqttLink & { cutAfter(commands: number, then: () => void): void } {
      links.add(handlers)
      const ownName = `api-${(opened += 1)}`
      byName.set(ownName, handlers)
      let isCut = false
      let left = Infinity
      let onCut = (): void => undefined
      if (isUp) handlers.onUp()
      return {
        name: ownName,
        isUp: () => isUp && !isCut,
        publish(topic, payload) {
          if (!isUp || isCut) return false
          const [, deviceId = '', , name = ''] = topic.split('/')
          if (name === 'switch-update' && left-- === 0) {
            isCut = true
            links.delete(handlers)
            onCut()
            return false
          }
          const peer = byName.get(deviceId)
          if (peer !== undefined) setImmediate(() => peer.onPeer(Buffer.from(payload)))
          boards.get(deviceId)?.(name, JSON.parse(payload))
          return true
        },
        cutAfter(commands, then) {
          left = commands
          onCut = then
        },
        async stop() {
          links.delete(handlers)
          byName.delete(ownName)
        }
      }
    },
    /** Takes the broker down with all its connections: boards must reconnect by themselves. */
    down(): void {
      isUp = false
      for (const drop of drops) drop()
      for (const link of links) link.onDown()
    },
    /** Publishes anything on any topic, as its board would. */
    say(topic: string, payload: unknown): void {
      deliver(topic, payload)
    },
    /** Sends a heartbeat of every connected board. */
    heartbeat(): void {
      for (const beat of heartbeats) beat()
    },
    up(): void {
      isUp = true
      for (const link of links) link.onUp()
    },
    addBoard(deviceId: string, outlets: number): MemoryBoard {
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
          up(deviceId, 'status', { online: true, bootId, conn: (conn += 1) })
          board.report({ cause: seq === 0 ? 'boot' : 'resync' })
        },
        disconnect() {
          up(deviceId, 'status', { online: false, bootId, conn })
          isConnected = false
        },
        report(fields) {
          up(deviceId, 'update-from-device', {
            bootId,
            seq: (seq += 1),
            switch: board.state,
            speed,
            cause: 'button',
            ...fields
          })
        }
      }
      drops.push(() => void (isConnected = false))
      heartbeats.push(() => {
        if (isConnected) up(deviceId, 'status', { online: true, bootId, conn })
      })
      boards.set(deviceId, (name, payload) => {
        if (!isConnected) return
        if (name === 'ack') board.acks.push(payload as AckPayload)
        if (name === 'schedules') board.schedules.push(payload as SchedulesPayload)
        if (name === 'config-update') board.configs.push(payload as ConfigUpdatePayload)
        if (name === 'firmware-update') board.updates.push(payload as FirmwareUpdatePayload)
        if (name !== 'switch-update') return
        const command = payload as SwitchUpdatePayload
        board.commands.push(command)
        if (board.isMute) return
        board.state = board.state.map((on, index) => command.set.find((each) => each.index === index)?.on ?? on)
        // Deferred by one turn, as on a real connection: the sender must have finished sending.
        setImmediate(() => board.report({ cause: 'command', commandId: command.id, result: 'applied' }))
      })
      return board
    }
  }
}
export type MemoryBroker = ReturnType<typeof createMemoryBroker>
