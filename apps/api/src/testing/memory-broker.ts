import { upTopic } from '@batti/contracts'
import type { MqttLink } from '../boards/link/mqtt-client.ts'
import { createMemoryBoard, type MemoryBoard } from './memory-board.ts'

interface LinkHandlers {
  onMessage(topic: string, payload: Buffer): void
  onPeer(payload: Buffer): void
  onUp(): void
  onDown(): void
  /** Each message goes to only one member of a group, in turn. */
  isShared?: boolean
}

/** Carries messages between api links and boards in one process, for tests with a fake clock, where no real broker can run. */
export function createMemoryBroker() {
  const links = new Set<LinkHandlers>()
  const byName = new Map<string, LinkHandlers>()
  const boards = new Map<string, ReturnType<typeof createMemoryBoard>>()
  let isUp = true
  let opened = 0
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
          boards.get(deviceId)?.receive(name, JSON.parse(payload))
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
      for (const { drop } of boards.values()) drop()
      for (const link of links) link.onDown()
    },
    /** Publishes anything on any topic, as its board would. */
    say: deliver,
    /** Sends a heartbeat of every connected board. */
    heartbeat(): void {
      for (const { heartbeat } of boards.values()) heartbeat()
    },
    up(): void {
      isUp = true
      for (const link of links) link.onUp()
    },
    addBoard(deviceId: string, outlets: number): MemoryBoard {
      const added = createMemoryBoard(deviceId, outlets, (name, payload) => {
        if (isUp) deliver(upTopic(deviceId, name), payload)
      })
      boards.set(deviceId, added)
      return added.board
    }
  }
}
export type MemoryBroker = ReturnType<typeof createMemoryBroker>
