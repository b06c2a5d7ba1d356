import { openSocket } from '@batti/client/socket'
import { until } from './programs.ts'

interface Update {
  deviceMac: string
  commandId?: string
  update: { switch: boolean[] }
  bootId: string
  seq: number
}

/** An open page: the events that it received, and the state that it shows. */
export interface ClusterScreen {
  updates: Update[]
  /** The state of each board on this screen. */
  shown: Map<string, boolean[]>
  isOnline: Map<string, boolean>
  /** Each event that a board went online or offline. */
  turns: boolean[]
  notices: string[]
  /** Returns ids of commands that it received more than once. */
  toldTwice(): string[]
  tap(mac: string, index: number, state: boolean): Promise<{ ok: boolean; id?: string }>
  isConnected(): boolean
  close(): void
}

export async function openClusterScreen(url: string, token: string, macs: readonly string[]): Promise<ClusterScreen> {
  const socket = await openSocket(url, { token })
  const updates: Update[] = []
  const shown = new Map<string, boolean[]>()
  /** The newest report per board. As on a page, an older one that arrives later changes nothing. */
  const shownSeq = new Map<string, number>()
  const isOnline = new Map<string, boolean>()
  const turns: boolean[] = []
  const notices: string[] = []
  const told = new Map<string, number>()
  socket.on('switch-update', (update: Update) => {
    updates.push(update)
    if (update.seq >= (shownSeq.get(update.deviceMac) ?? 0)) {
      shown.set(update.deviceMac, update.update.switch)
      shownSeq.set(update.deviceMac, update.seq)
    }
    if (update.commandId !== undefined) told.set(update.commandId, (told.get(update.commandId) ?? 0) + 1)
  })
  socket.on('update-from-device', ({ deviceMac, update }: { deviceMac: string; update: { isOnline?: boolean } }) => {
    if (update.isOnline === undefined) return
    isOnline.set(deviceMac, update.isOnline)
    turns.push(update.isOnline)
  })
  socket.on('notify-user', (text: string) => notices.push(text))
  const ask = (event: string, payload: unknown) =>
    socket.timeout(10_000).emitWithAck(event, payload) as Promise<{ ok: boolean; id?: string }>
  for (const mac of macs)
    await until(`the room of ${mac} is open`, async () => {
      const answer = (await ask('join-user-device-room', mac)) as { ok: boolean; device?: { switch: boolean[] } }
      if (answer.device !== undefined) shown.set(mac, answer.device.switch)
      return answer.ok
    })
  return {
    updates,
    shown,
    isOnline,
    turns,
    notices,
    toldTwice: () => [...told].flatMap(([id, times]) => (times > 1 ? [id] : [])),
    tap: (deviceMac, switchIndex, state) => ask('toggle-switch', { deviceMac, switchIndex, state }),
    isConnected: () => socket.connected,
    close: () => void socket.disconnect()
  }
}
