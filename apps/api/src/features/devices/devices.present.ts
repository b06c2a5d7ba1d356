import {
  outletsFromWire,
  outletsToWire,
  type DeviceHealth,
  type DeviceRecord,
  type PinnedVersion
} from '@batti/contracts'
import { scoreHealth } from '../../boards/registry/score-health.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'

export interface DeviceSurroundings {
  live: LiveDevice | undefined
  room: DeviceRecord['setRoom']
  owner: DeviceRecord['userId']
  image: string | null
  firmware: DeviceRecord['firmware']
  /** Whether the viewer is staff: only staff see labels and pins, and who else than the owner worked on the board. */
  forStaff: boolean
  /** The current time in milliseconds: a pin may have ended. */
  now: number
  /** Undefined where the viewer may not read it. */
  wifiPassword: string | undefined
}

/** Presents a board for HTTP and sockets. Its reported state comes from memory, which is ahead of the database. */
export function presentDevice(document: DeviceDocument, around: DeviceSurroundings): DeviceRecord {
  const { live } = around
  // A board that was moved is not to name its previous owner.
  const whoOf = (id: DeviceDocument['createdBy']): string | null =>
    id !== null && (around.forStaff || String(id) === String(document.userId)) ? String(id) : null
  return {
    _id: String(document._id),
    deviceMac: document.deviceMac,
    deviceCode: document.deviceCode,
    deviceName: document.deviceName,
    setName: document.setName,
    setRoom: around.room,
    userId: around.owner,
    ...outletsToWire(live?.outlets ?? outletsFromWire(document)),
    isOnline: live?.isOnline ?? document.isOnline,
    lastSeen: lastSeenOf(document, live),
    onlineChangedAt:
      live === undefined || live.onlineChangedAt === 0
        ? iso(document.onlineChangedAt)
        : new Date(live.onlineChangedAt).toISOString(),
    bootId: live?.bootId ?? document.bootId,
    seq: live?.seq ?? document.seq,
    stateAt: live?.stateAt ?? document.stateAt,
    wifiSSID: document.wifiSSID,
    ...(around.wifiPassword === undefined ? {} : { wifiPassword: around.wifiPassword }),
    wifiRSSI: live?.wifiRSSI ?? document.wifiRSSI,
    activeColor: document.activeColor,
    timezone: document.timezone,
    hwModel: document.hwModel,
    osVersion: document.osVersion,
    firmware: around.firmware,
    remoteCode: document.remoteCode,
    localIp: document.localIp,
    localHost: document.localHost,
    from: document.from,
    deviceImage: around.image,
    serverUrl: document.serverUrl,
    serverPort: document.serverPort,
    mqttPort: document.mqttPort,
    configRev: document.configRev,
    configConfirmedRev: live?.configConfirmedRev ?? document.configConfirmedRev,
    health: healthOf(document, live),
    ...(around.forStaff ? { labels: document.labels ?? [], pinnedVersion: pinOf(document, around.now) } : {}),
    createdBy: whoOf(document.createdBy),
    updatedBy: whoOf(document.updatedBy),
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString()
  }
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

function lastSeenOf(document: DeviceDocument, live: LiveDevice | undefined): string | null {
  const heard = live?.lastMessageAt ?? 0
  return heard === 0 ? iso(document.lastSeen) : new Date(heard).toISOString()
}

function healthOf(document: DeviceDocument, live: LiveDevice | undefined): DeviceHealth {
  const isSeen = lastSeenOf(document, live) !== null || (live?.isOnline ?? document.isOnline)
  // Boards of early versions have none until their health changes.
  const reasons = document.healthReasons ?? []
  return scoreHealth(isSeen ? reasons.filter((reason) => reason !== 'never-seen') : ['never-seen'])
}

/** Returns the pin if it is active now. */
function pinOf({ pinnedVersion }: DeviceDocument, now: number): PinnedVersion | null {
  if (pinnedVersion === null || pinnedVersion === undefined) return null
  const { version, reason, endsAt } = pinnedVersion
  return endsAt !== null && endsAt.getTime() <= now ? null : { version, reason, endsAt: iso(endsAt) }
}
