import type { DeviceRecord } from '@batti/contracts'
import { mayReadWifiPassword } from '../../boards/device.policy.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { notFound } from '../../platform/app-error.ts'
import { isStaff, type Actor } from '../../platform/people/actor.ts'
import type { BoardConfig } from './board-config.ts'
import { presentDevice } from './devices.present.ts'
import type { DevicesOptions } from './devices.options.ts'

type PresentOptions = Pick<
  DevicesOptions,
  'clock' | 'peek' | 'findRooms' | 'findOwners' | 'findTypes' | 'findFirmware'
> & {
  boardConfig: Pick<BoardConfig, 'openWifiPassword'>
}

/** Presents boards as the reader may see them, with the names of their rooms, owners and types, and their updates. */
export function createDevicePresenter(options: PresentOptions) {
  const { clock, peek, boardConfig } = options

  async function present(documents: readonly DeviceDocument[], actor: Actor): Promise<DeviceRecord[]> {
    const distinct = (values: unknown[]): string[] => [...new Set(values.filter((value) => value !== null).map(String))]
    const [rooms, owners, types, firmware] = await Promise.all([
      options.findRooms(distinct(documents.map(({ setRoom }) => setRoom))),
      options.findOwners(distinct(documents.map(({ userId }) => userId))),
      options.findTypes(distinct(documents.map(({ deviceCode }) => deviceCode))),
      options.findFirmware(documents.map(({ _id }) => String(_id)))
    ])
    return documents.map((document) => {
      const room = document.setRoom === null ? undefined : rooms.get(String(document.setRoom))
      const id = String(document._id)
      return presentDevice(document, {
        live: peek(id),
        room: room === undefined ? null : { _id: room._id, roomName: room.roomName },
        owner: document.userId === null ? null : (owners.get(String(document.userId)) ?? null),
        forStaff: isStaff(actor),
        now: clock.now(),
        firmware: firmware.get(id) ?? null,
        image: types.find(({ deviceCode }) => deviceCode === document.deviceCode)?.deviceImage ?? null,
        wifiPassword: mayReadWifiPassword(actor, document) ? boardConfig.openWifiPassword(document) : undefined
      })
    })
  }

  async function presentOne(document: DeviceDocument, actor: Actor): Promise<DeviceRecord> {
    const [record] = await present([document], actor)
    if (record === undefined) throw notFound('Device')
    return record
  }

  return { present, presentOne }
}
export type DevicePresenter = ReturnType<typeof createDevicePresenter>
