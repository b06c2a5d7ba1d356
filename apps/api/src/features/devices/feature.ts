import { defaultTimezone, type BulkSettings } from '@batti/contracts'
import type { Boards } from '../../boards/boards.ts'
import { createHooks } from '../../platform/feature.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import type { Actor } from '../../platform/people/actor.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { createSecretBox } from '../../platform/store/secret-box.ts'
import { createBoardLimit } from './board-limit.ts'
import { createClaimableBoards } from './claimable-boards.ts'
import { createDescribeBoards } from './describe-boards.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { createDevicesRepository } from './devices.repository.ts'
import { deviceRoutes } from './devices.routes.ts'
import { createDevicesService } from './devices.service.ts'
import type { DevicesOptions } from './devices.options.ts'
import type { DeviceType } from './new-device.ts'

interface DevicesDeps extends Pick<Platform, 'config' | 'inTransaction' | 'clock' | 'events'> {
  audit: Audit
  columns: ListColumns
  boards: Pick<Boards, 'models' | 'directory' | 'link' | 'closeConnection' | 'ca'>
  people: {
    findPeople: DevicesOptions['findOwners']
    searchPeople: DevicesOptions['searchOwners']
    claimHome: DevicesOptions['claimOwner']
    timezoneOf(userId: string): Promise<string | null>
  }
  accounts: { onErase(step: (userId: string) => Promise<void>): void }
  rooms: Pick<DevicesOptions, 'findRooms'> & { searchIds: DevicesOptions['searchRooms'] }
  switches: { createMissing: DevicesOptions['createSwitches']; deleteByDevice(deviceId: string): Promise<void> }
  deviceTypes: {
    findByCodes: DevicesOptions['findTypes']
    findByCodeAndModel(deviceCode: string, hwModel: string): Promise<DeviceType | null>
    claim: DevicesOptions['claimType']
  }
}

/** Boards: their owners, names and settings. */
export function createDevicesFeature(deps: DevicesDeps) {
  const { config, inTransaction, clock, events, audit, boards, people, accounts, rooms, switches, deviceTypes } = deps
  const { directory, link, closeConnection } = boards
  const repository = createDevicesRepository(boards.models.devices, deps.columns)
  const releasing = createHooks<string>()
  let findFirmware: DevicesOptions['findFirmware'] = () => Promise.resolve(new Map())
  const limit = createBoardLimit(repository, config.LIMIT_BOARDS)
  const zoneOf = async (userId: string): Promise<string> => (await people.timezoneOf(userId)) ?? defaultTimezone
  const devices = createDevicesService({
    devices: repository,
    limit,
    clock,
    events,
    secrets: createSecretBox({ key: config.DATA_KEY, previousKeys: config.DATA_KEY_PREVIOUS }),
    trustedCa: boards.ca.current,
    peek: directory.peek,
    refreshLive: directory.refresh,
    forgetLive: link.forget,
    pushConfig: link.pushConfig,
    closeConnection,
    findRooms: rooms.findRooms,
    findOwners: people.findPeople,
    searchOwners: people.searchPeople,
    claimOwner: people.claimHome,
    inTransaction,
    zoneOf,
    searchRooms: rooms.searchIds,
    findTypes: deviceTypes.findByCodes,
    claimType: deviceTypes.claim,
    createSwitches: switches.createMissing,
    deleteSwitches: switches.deleteByDevice,
    onReleased: releasing.run,
    findFirmware: (deviceIds) => findFirmware(deviceIds)
  })
  accounts.onErase(devices.releaseAllOf)
  events.on('device-behind', ({ deviceId, config: isConfig }) =>
    isConfig ? devices.resendConfig(deviceId) : undefined
  )

  return {
    routes: deviceRoutes({
      devices,
      audit,
      find: auditSubject(
        (id) => boards.models.devices.findById(id).lean<DeviceDocument>(),
        ({ setName, deviceName }) => (setName === '' ? deviceName : setName),
        notSetByPeople
      )
    }),
    claimable: createClaimableBoards({
      devices: repository,
      limit,
      findType: deviceTypes.findByCodeAndModel,
      claimType: deviceTypes.claim,
      createSwitches: switches.createMissing,
      refreshLive: directory.refresh,
      claimOwner: people.claimHome,
      zoneOf,
      inTransaction
    }),
    /** Stores settings as staff and pushes them. Returns the revision that the board must confirm. */
    applySettings(id: string, { api, mqtt, ...set }: BulkSettings, userId: string): Promise<number> {
      const staff: Actor = { userId, role: 'admin', name: '', permissions: [], sessionId: '' }
      const host = api?.host ?? mqtt?.host
      return devices.applySettings(staff, id, {
        ...set,
        ...(host === undefined ? {} : { serverUrl: host }),
        ...(api === undefined ? {} : { serverPort: api.port }),
        ...(mqtt === undefined ? {} : { mqttPort: mqtt.port })
      })
    },
    /** Registers the source of updates in progress. */
    showFirmware: (find: DevicesOptions['findFirmware']): void => void (findFirmware = find),
    describe: createDescribeBoards({ models: boards.models, findRooms: rooms.findRooms }),
    list: devices.list,
    matching: devices.matching,
    /** Registers a step that removes what a feature keeps of a board when it leaves its owner. */
    onReleased: releasing.add
  }
}

/** Fields that boards report and the server counts. */
const notSetByPeople = [
  'switch',
  'speed',
  'isOnline',
  'onlineChangedAt',
  'lastSeen',
  'bootId',
  'osBootId',
  'seq',
  'earlierBoots',
  'stateAt',
  'conn',
  'wifiRSSI',
  'localIp',
  'localHost',
  'configRev',
  'configConfirmedRev',
  'schedulesRev',
  'schedulesConfirmedRev',
  'healthReasons',
  'healthScore',
  'healthSince',
  'ownedSince'
]
