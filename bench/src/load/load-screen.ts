import { openSocket } from '@batti/client/socket'
import type { Target } from './target.ts'

export interface Screen {
  /** Toggles an outlet. Calls `seen` with the milliseconds until this screen received the board's answer. */
  toggle(mac: string, index: number, state: boolean, told: Told): void
  close(): void
}

interface Told {
  seen(ms: number): void
  acknowledged(answer: { ok: boolean }): void
}

interface SwitchUpdate {
  deviceMac: string
  switchIndex?: number
  state?: boolean
}

/** Opens a page of one person: a socket in the rooms of its boards. */
export async function openScreen(target: Target, token: string, macs: readonly string[]): Promise<Screen> {
  const socket = await openSocket(target.socketUrl, { token })
  for (const mac of macs) {
    const answer = (await socket.timeout(10_000).emitWithAck('join-user-device-room', mac)) as { ok: boolean }
    if (!answer.ok) throw new Error(`room ${mac}: ${JSON.stringify(answer)}`)
  }
  /** `MAC/index` -> its pending toggles, oldest first: a board answers in order. */
  const waiting = new Map<string, { at: number; state: boolean; seen(ms: number): void }[]>()

  socket.on('switch-update', ({ deviceMac, switchIndex, state }: SwitchUpdate) => {
    const now = performance.now()
    const due = waiting.get(`${deviceMac}/${switchIndex}`)
    const position = due?.findIndex((toggle) => toggle.state === state) ?? -1
    const [found] = position < 0 ? [] : (due?.splice(position, 1) ?? [])
    found?.seen(now - found.at)
  })

  return {
    toggle(mac, index, state, { seen, acknowledged }) {
      const key = `${mac}/${index}`
      const list = waiting.get(key) ?? []
      waiting.set(key, list)
      list.push({ at: performance.now(), state, seen })
      // The bare relay sends no acknowledgement: that is part of the product's extra work.
      socket.emit('toggle-switch', { deviceMac: mac, switchIndex: index, state }, acknowledged)
    },
    close: () => socket.disconnect()
  }
}
