import type { SwitchRecord } from '@batti/contracts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { notFound } from '../../platform/app-error.ts'
import { presentSwitch } from './switches.present.ts'
import type { SwitchesOptions } from './switches.options.ts'

/** Presents switches with their boards' states and rooms. */
export function createSwitchPresenter({ directory, findRooms }: Pick<SwitchesOptions, 'directory' | 'findRooms'>) {
  async function present(documents: readonly SwitchDocument[]): Promise<SwitchRecord[]> {
    const devices = await directory.findMany([...new Set(documents.map(({ deviceId }) => String(deviceId)))])
    const roomIds = [...devices.values()].flatMap(({ roomId }) => (roomId === null ? [] : [roomId]))
    const rooms = await findRooms([...new Set(roomIds)])
    return documents.map((document) => {
      const device = devices.get(String(document.deviceId))
      const room = device?.roomId === null || device === undefined ? undefined : rooms.get(device.roomId)
      return presentSwitch(document, device, room === undefined ? null : { _id: room._id, roomName: room.roomName })
    })
  }

  async function presentOne(document: SwitchDocument): Promise<SwitchRecord> {
    const [record] = await present([document])
    if (record === undefined) throw notFound('Switch')
    return record
  }

  return { present, presentOne }
}
export type SwitchPresenter = ReturnType<typeof createSwitchPresenter>
