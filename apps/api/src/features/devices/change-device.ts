import type { DeviceRecord } from '@batti/contracts'
import type { DeviceDocument, DeviceInput } from '../../boards/registry/device.model.ts'
import { afterCommit } from '../../platform/after-commit.ts'
import { invalid, notFound, unknownZone } from '../../platform/app-error.ts'
import type { Actor } from '../../platform/people/actor.ts'
import { isNamedZone } from '../../platform/time-zone.ts'
import { onlyChanges, onlySettings, type BoardConfig } from './board-config.ts'
import type { DevicePatch, DevicesOptions } from './devices.options.ts'
import type { DevicePresenter } from './present-devices.ts'
import type { DeviceRelease } from './release-devices.ts'

type ChangeOptions = Pick<
  DevicesOptions,
  | 'devices'
  | 'limit'
  | 'clock'
  | 'events'
  | 'findOwners'
  | 'claimOwner'
  | 'inTransaction'
  | 'pushConfig'
  | 'refreshLive'
> & {
  boardConfig: BoardConfig
  presenter: Pick<DevicePresenter, 'presentOne'>
  endOldOwner: DeviceRelease['endOldOwner']
  /** @throws AppError NOT_FOUND when the room does not belong to that owner. */
  ownRoom(roomId: string | null, ownerId: string | null, field: 'roomId' | 'setRoom'): Promise<string | null>
}

/** A board is reset for a new owner: no room, no credentials, no Wi-Fi. */
const ofNobodyYet = {
  setRoom: null,
  setName: '',
  credentialHash: null,
  pendingHash: null,
  wifiSSID: '',
  wifiPassword: ''
}

/** Changes settings of a board: stores them, pushes them to the board, and notifies screens. */
export function createChangeDevice(options: ChangeOptions) {
  const { devices, clock, events, boardConfig, presenter } = options

  /** Returns what the patch changes of owner and room. */
  async function placeOf(document: DeviceDocument, patch: DevicePatch): Promise<DeviceInput> {
    const fields: DeviceInput = {}
    const ownerId = patch.userId ?? (document.userId === null ? null : String(document.userId))
    if (movesOwner(document, patch)) {
      if ((await options.findOwners([patch.userId ?? ''])).size === 0) throw notFound('User')
      if (!(await options.limit.hasRoom(patch.userId ?? ''))) throw options.limit.refusal()
      Object.assign(fields, { userId: ownerId, ownedSince: new Date(clock.now()) }, ofNobodyYet)
    }
    const room = patch.setRoom !== undefined ? patch.setRoom : patch.roomId
    // Locks the account for this transaction, so that no board is put into a room that another call deletes.
    if (room && ownerId !== null && !(await options.claimOwner(ownerId))) throw notFound('Room')
    if (room !== undefined) {
      fields.setRoom = await options.ownRoom(room, ownerId, patch.setRoom === undefined ? 'roomId' : 'setRoom')
    }
    return fields
  }

  /**
   * Returns the sealed password; undefined if it stays. An empty one means an open network if sent by the owner, who sees
   * the stored value, and no change if sent by staff, who do not.
   */
  function wifiPasswordOf(actor: Actor, document: DeviceDocument, patch: DevicePatch): string | undefined {
    const { wifiPassword: wanted } = patch
    if (wanted === undefined || (wanted === '' && actor.role !== 'user')) return undefined
    if (!movesOwner(document, patch) && wanted === (boardConfig.openWifiPassword(document) ?? '')) return undefined
    return wanted === '' ? '' : boardConfig.sealWifiPassword(String(document._id), wanted)
  }

  /** Returns what the patch changes of the board's settings. */
  function settingsOf(actor: Actor, document: DeviceDocument, patch: DevicePatch): DeviceInput {
    const fields: DeviceInput = {}
    const name = patch.setName ?? patch.name
    if (name !== undefined) fields.setName = name
    if (patch.wifiSSID !== undefined) fields.wifiSSID = patch.wifiSSID
    const wifiPassword = wifiPasswordOf(actor, document, patch)
    if (wifiPassword !== undefined) fields.wifiPassword = wifiPassword
    if (patch.activeColor !== undefined) fields.activeColor = patch.activeColor
    if (patch.timezone !== undefined) fields.timezone = knownZone(patch.timezone)
    for (const field of ['osVersion', 'remoteCode', 'serverUrl', 'serverPort', 'mqttPort'] as const) {
      if (patch[field] !== undefined) Object.assign(fields, { [field]: patch[field] })
    }
    if (patch.labels !== undefined) fields.labels = patch.labels
    if (patch.pinnedVersion !== undefined) fields.pinnedVersion = pinOf(patch.pinnedVersion, clock.now())
    return fields
  }

  async function write(actor: Actor, document: DeviceDocument, patch: DevicePatch) {
    const place = await placeOf(document, patch)
    const fields: DeviceInput = { updatedBy: actor.userId, ...place, ...settingsOf(actor, document, patch) }
    if (patch.wifiPassword && (fields.wifiSSID ?? document.wifiSSID) === '')
      throw invalid('wifiSSID', 'Enter the name of the Wi-Fi network too.')
    checkServer(document, patch)
    const changed = onlyChanges(document, fields)
    const notifiesBoard = boardConfig.configOf({ ...document, ...changed }, changed) !== null
    const updated = await devices.change(document, fields, notifiesBoard)
    if (updated === null) throw notFound('Device')
    return { updated, changed, notifiesBoard }
  }

  return async function changeDevice(
    actor: Actor,
    document: DeviceDocument,
    patch: DevicePatch
  ): Promise<DeviceRecord> {
    const id = String(document._id)
    if (patch.deviceId !== undefined && patch.deviceId !== id) throw invalid('deviceId', 'must be the id of this board')
    checkNames(patch)
    if (patch.setRoomName !== undefined && patch.setRoom === undefined)
      throw invalid('setRoomName', 'goes with setRoom: send the id of the room too.')
    const isPut = Boolean(patch.setRoom ?? patch.roomId)
    const store = () => write(actor, document, patch)
    const { updated, changed, notifiesBoard } = await (isPut ? options.inTransaction(store) : store())
    if (movesOwner(document, patch)) await options.endOldOwner(document)
    // A board confirms all revisions up to one, so what it has not confirmed yet is sent along.
    const isBehind = document.configConfirmedRev < document.configRev
    const payload = notifiesBoard
      ? boardConfig.configOf(updated, isBehind ? { ...onlySettings(updated), ...changed } : changed)
      : null
    if (payload !== null && !movesOwner(document, patch)) afterCommit(() => options.pushConfig(id, payload))
    await options.refreshLive(id)
    const record = await presenter.presentOne(updated, actor)
    if (notifiesBoard) events.emit('board-set', { deviceId: id, kind: 'config', detail: settingsIn(changed) })
    const { setName, setRoom, activeColor, timezone } = record
    events.emit('device-edited', {
      deviceId: id,
      deviceMac: updated.deviceMac,
      update: { setName, setRoom, activeColor, timezone, ...notifiedOf(record, changed) },
      at: clock.now()
    })
    return record
  }
}

/** @throws AppError VALIDATION if two names of one setting have different values: it is unclear which was meant. */
function checkNames({ name, setName = name, roomId, setRoom = roomId }: DevicePatch): void {
  if (name !== undefined && name !== setName) throw invalid('name', 'differs from setName: send one of the two')
  if (roomId !== undefined && roomId !== setRoom) throw invalid('roomId', 'differs from setRoom: send one of the two')
}

/** @throws AppError VALIDATION for an address that cannot be sent to a board. */
function checkServer(document: DeviceDocument, { serverUrl, serverPort, mqttPort }: DevicePatch): void {
  if (serverUrl === '' && document.serverUrl !== '')
    throw invalid('serverUrl', 'A server address cannot be removed. Enter the server that the board is to use.')
  if ((serverPort ?? mqttPort) !== undefined && (serverUrl ?? document.serverUrl) === '')
    throw invalid('serverUrl', 'A port needs a server. Enter its address too.')
}

const movesOwner = (document: DeviceDocument, { userId }: DevicePatch): boolean =>
  userId !== undefined && userId !== String(document.userId)

/** Further changes that screens are told: never the Wi-Fi password, nor what only staff see. */
export const notifiedFields = ['wifiSSID', 'osVersion', 'remoteCode', 'serverUrl', 'serverPort', 'mqttPort'] as const

const notifiedOf = (record: DeviceRecord, changed: DeviceInput): Partial<DeviceRecord> =>
  Object.fromEntries(notifiedFields.filter((field) => field in changed).map((field) => [field, record[field]]))

/** Describes which of a board's own settings change, without their values. */
function settingsIn(changed: DeviceInput): string {
  const words = {
    activeColor: 'colour',
    timezone: 'time zone',
    wifiSSID: 'Wi-Fi',
    wifiPassword: 'Wi-Fi',
    serverUrl: 'server',
    serverPort: 'server',
    mqttPort: 'MQTT port'
  }
  return [...new Set(Object.entries(words).flatMap(([field, word]) => (field in changed ? [word] : [])))].join(', ')
}

function knownZone(timezone: string): string {
  if (isNamedZone(timezone)) return timezone
  throw unknownZone('timezone')
}

function pinOf(pin: NonNullable<DevicePatch['pinnedVersion']> | null, now: number): DeviceDocument['pinnedVersion'] {
  if (pin === null) return null
  const endsAt = pin.endsAt === null ? null : new Date(pin.endsAt)
  if (endsAt !== null && endsAt.getTime() <= now) throw invalid('pinnedVersion.endsAt', 'must lie in the future')
  return { version: pin.version, reason: pin.reason, endsAt }
}
