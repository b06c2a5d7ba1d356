import { outletsFromWire, versionOrderOf, type IndexLists } from '@batti/contracts'
import type { Connection, Types } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { countByField } from '../../platform/store/lists/count-by-field.ts'
import type { BoardPlace, ListColumns } from '../../platform/store/lists/list-columns.ts'
import { createColumnRows, idsOf, type Row } from './column-rows.ts'

export const boardFields = {
  userId: 1,
  setRoom: 1,
  setName: 1,
  deviceName: 1,
  osVersion: 1,
  switch: 1,
  speed: 1,
  fanIndexes: 1,
  socketIndexes: 1,
  dimmerIndexes: 1,
  list: 1
} as const
export type ListedBoard = Row<
  Pick<DeviceDocument, 'userId' | 'setRoom' | 'setName' | 'deviceName' | 'osVersion' | 'switch' | 'speed'> & IndexLists
>

/** Recomputes columns from their sources, and writes those that differ. Idempotent, and may run at any time. */
export function createColumnKeeper(
  connection: Connection,
  /** Returns what the board reported since it was last stored. */
  unstoredState: (deviceId: string) => Partial<DeviceDocument> | undefined
) {
  const { rows, byId, write } = createColumnRows(connection)

  const readBoards = (condition: object) => rows('Device').find(condition, boardFields).lean<ListedBoard[]>()

  /** Returns how many rows were wrong. */
  async function keepBoards(boards: readonly ListedBoard[]): Promise<number> {
    if (boards.length === 0) return 0
    interface Owner {
      name: string
      email: string
      phone: string | null
    }
    const owners = await byId<Owner>(
      'User',
      boards.map(({ userId }) => userId),
      { name: 1, email: 1, phone: 1 }
    )
    const rooms = await byId<{ roomName: string }>(
      'Room',
      boards.map(({ setRoom }) => setRoom),
      { roomName: 1 }
    )
    const deviceId = { $in: boards.map(({ _id }) => _id) }
    const switches = await rows<SwitchDocument>('Switch').find({ deviceId }).lean<Row<SwitchDocument>[]>()
    interface Plan {
      deviceId: Types.ObjectId
      switchId: Types.ObjectId
    }
    const schedules = await rows<Plan>('Schedule')
      .find({ deviceId }, { deviceId: 1, switchId: 1, list: 1 })
      .lean<Row<Plan>[]>()
    const boardOf = new Map(boards.map((board) => [String(board._id), board]))
    const outletsOf = new Map(
      boards.map((board) => [
        String(board._id),
        outletsFromWire({ ...board, ...statesOf(unstoredState(String(board._id))) })
      ])
    )
    const nameOf = new Map(switches.map(({ _id, switchName }) => [String(_id), switchName]))
    const roomOf = (board: ListedBoard | undefined) => rooms.get(String(board?.setRoom))?.roomName ?? null
    const wrong = [
      await write(
        'Device',
        'list',
        boards.map((board) => {
          const owner = owners.get(String(board.userId))
          const { name = null, email = null, phone = null } = owner ?? {}
          return [board, { owner: name, email, phone, room: roomOf(board), version: versionOrderOf(board.osVersion) }]
        })
      ),
      await write(
        'Switch',
        'list',
        switches.map((row) => {
          const board = boardOf.get(String(row.deviceId))
          const outlet = outletsOf.get(String(row.deviceId))?.[row.switchIndex]
          const columns = { ...namesOf(board), room: roomOf(board), type: outlet?.kind ?? 'switch' }
          return [row, { ...columns, status: outlet?.on ?? false }]
        })
      ),
      await write(
        'Schedule',
        'list',
        schedules.map((row) => {
          const { deviceName: device, deviceType } = namesOf(boardOf.get(String(row.deviceId)))
          return [row, { device, deviceType, switch: nameOf.get(String(row.switchId)) ?? '' }]
        })
      )
    ]
    return checkedAgain(
      wrong.reduce((sum, each) => sum + each, 0),
      async () => keepBoards(await readBoards({ _id: deviceId }))
    )
  }

  async function keepHomes(ids: readonly string[]): Promise<number> {
    const people = await byId('User', ids, { counts: 1 })
    const known = [...people.keys()]
    const devices = await countByField(rows('Device'), 'userId', known)
    const schedules = await countByField(rows('Schedule'), 'userId', known)
    const rooms = await countByField(rows('Room'), 'userId', known)
    const wrong = await write(
      'User',
      'counts',
      [...people].map(([id, row]) => [
        row,
        { devices: devices.get(id) ?? 0, schedules: schedules.get(id) ?? 0, rooms: rooms.get(id) ?? 0 }
      ])
    )
    return checkedAgain(wrong, () => keepHomes(known))
  }

  async function keepRooms(ids: readonly string[]): Promise<number> {
    const rooms = await byId('Room', ids, { counts: 1 })
    const known = [...rooms.keys()]
    const devices = await countByField(rows('Device'), 'setRoom', known)
    const online = await countByField(rows('Device'), 'setRoom', known, { isOnline: true })
    const wrong = await write(
      'Room',
      'counts',
      [...rooms].map(([id, row]) => [row, { devices: devices.get(id) ?? 0, online: online.get(id) ?? 0 }])
    )
    return checkedAgain(wrong, () => keepRooms(known))
  }

  const columns: Omit<ListColumns, 'settled'> = {
    async boardsChanged(which, was = []) {
      const condition: object = 'ids' in which ? { _id: { $in: [...which.ids] } } : which
      const boards = 'ids' in which && which.ids.length === 0 ? [] : await readBoards(condition)
      await keepBoards(boards)
      const places: readonly BoardPlace[] = [...boards, ...was]
      await keepHomes(idsOf(places.map(({ userId }) => userId)))
      await keepRooms(idsOf(places.map(({ setRoom }) => setRoom)))
    },
    homesChanged: async (userIds) => void (await keepHomes(userIds))
  }
  return { columns, keepBoards, keepHomes, keepRooms, rows }
}
export type ColumnKeeper = ReturnType<typeof createColumnKeeper>

/** Of two changes at once, each may have read before the other was stored: whoever writes reads once more afterwards. */
async function checkedAgain(wrong: number, again: () => Promise<number>): Promise<number> {
  if (wrong > 0) await again()
  return wrong
}

const statesOf = (state: Partial<DeviceDocument> | undefined): Partial<Pick<DeviceDocument, 'switch'>> =>
  state?.switch === undefined ? {} : { switch: state.switch }

/** The name shown in lists and the name of the board's type: both are searched. */
const namesOf = (board: ListedBoard | undefined): { deviceName: string; deviceType: string } => ({
  deviceName: board?.setName || board?.deviceName || '',
  deviceType: board?.deviceName ?? ''
})
