import {
  downTopic,
  upTopic,
  type AckPayload,
  type DeviceReport,
  type SchedulesPayload,
  type SwitchUpdatePayload
} from '@batti/contracts'
import type { MqttLink } from '../device-link/mqtt-client.ts'

interface LinkHandlers {
  onMessage(topic: string, payload: Buffer): void
  onUp(): void
  onDown(): void
}

/** A board in memory: it applies what it is told and reports it, as the wire asks. */
export interface MemoryBoard {
  state: boolean[]
  /** Commands that reached it, in order. */
  commands: SwitchUpdatePayload[]
  schedules: SchedulesPayload[]
  acks: AckPayload[]
  /** Takes commands and does nothing about them. */
  isMute: boolean
  connect(): void
  /** Its last will: the server learns at once. */
  disconnect(): void
  report(fields: Partial<DeviceReport>): void
}

/** Carries messages between api links and boards of one process, where no broker can stand beside a fake clock. */
export function createMemoryBroker() {
  const links = new Set<LinkHandlers>()
  const boards = new Map<string, (name: string, payload: unknown) => void>()
  let isUp = true

  const up = (deviceId: string, name: 'status' | 'update-from-device', payload: unknown): void => {
    if (!isUp) return
    for (const link of links) link.onMessage(upTopic(deviceId, name), Buffer.from(JSON.stringify(payload)))
  }

  return {
    /** Api links hear every board; a link that was cut hears nothing and can say nothing. */
    openLink(handlers: LinkHandlers): MqttLink & { cut(): void } {
      links.add(handlers)
      let isCut = false
      if (isUp) handlers.onUp()
      return {
        isUp: () => isUp && !isCut,
        publish(topic, payload) {
          if (!isUp || isCut) return false
          const [, deviceId = '', , name = ''] = topic.split('/')
          boards.get(deviceId)?.(name, JSON.parse(payload))
          return true
        },
        cut() {
          isCut = true
          links.delete(handlers)
        },
        async stop() {
          links.delete(handlers)
        }
      }
    },
    down(): void {
      isUp = false
      for (const link of links) link.onDown()
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
      boards.set(deviceId, (name, payload) => {
        if (!isConnected) return
        if (name === 'ack') board.acks.push(payload as AckPayload)
        if (name === 'schedules') board.schedules.push(payload as SchedulesPayload)
        if (name !== 'switch-update') return
        const command = payload as SwitchUpdatePayload
        board.commands.push(command)
        if (board.isMute) return
        board.state = board.state.map((on, index) => command.set.find((each) => each.index === index)?.on ?? on)
        // A turn later, as over any wire: the sender is not in the middle of sending any more.
        setImmediate(() => board.report({ cause: 'command', commandId: command.id, result: 'applied' }))
      })
      return board
    },
    topicOf: downTopic
  }
}
export type MemoryBroker = ReturnType<typeof createMemoryBroker>
