import type { Types } from 'mongoose'
import type { Boards } from '../../boards/boards.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { mayControlDevice, maySeeDevice } from '../../boards/device.policy.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import { createHooks } from '../../platform/feature.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { createRefuseEvent } from '../../realtime/socket-answers.ts'
import { createCommandSwitches } from './command-switches.ts'
import { createSwitchesRepository } from './switches.repository.ts'
import { switchRoutes } from './switches.routes.ts'
import { createSwitchesService } from './switches.service.ts'
import type { MovedSwitch } from './switches.options.ts'
import { createSocketCommands } from './switches.socket.ts'

interface SwitchesDeps extends Pick<Platform, 'config' | 'events' | 'clock' | 'databaseDeadlineMs'> {
  audit: Audit
  columns: ListColumns
  boards: Pick<Boards, 'models' | 'directory' | 'link'>
  rooms: { findRooms(ids: readonly string[]): Promise<Map<string, { _id: string; roomName: string }>> }
}

/** The switches: names of outlets, and the only way to command them. */
export function createSwitchesFeature(deps: SwitchesDeps) {
  const { config, events, clock, audit, columns, boards, rooms } = deps
  const { directory, link, models } = boards
  const repository = createSwitchesRepository(models.switches, columns)
  const removing = createHooks<string>()
  const moving = createHooks<MovedSwitch>()
  const commandSwitches = createCommandSwitches({ send: link.send, maySee: maySeeDevice, mayControl: mayControlDevice })
  const switches = createSwitchesService({
    switches: repository,
    directory,
    commandSwitches,
    commandsPerSecond: config.LIMIT_COMMANDS,
    storedWithinMs: deps.databaseDeadlineMs,
    clock,
    events,
    refreshLive: directory.refresh,
    findRooms: rooms.findRooms,
    findDeviceIdsByName: directory.findIdsByName,
    onRemoved: removing.run,
    onMoved: moving.run
  })

  return {
    routes: switchRoutes({
      switches,
      audit,
      find: auditSubject(
        (id) => models.switches.findById(id).lean<SwitchDocument>(),
        ({ switchName }) => switchName,
        ['planned']
      )
    }),
    sockets: [
      createSocketCommands({
        directory,
        commandSwitches,
        locateSwitch: switches.locate,
        refuse: createRefuseEvent(events)
      })
    ],
    listFavorites: switches.listFavorites,
    deviceIdOf: repository.deviceIdOf,
    findIdsByName: repository.findIdsByName,
    countSchedule: repository.countSchedule,
    /** Creates a switch for each outlet of a board that has none yet. */
    createMissing: (device: { _id: Types.ObjectId; switch: readonly boolean[] }): Promise<void> =>
      repository.insertMissing(device._id, device.switch.length),
    deleteByDevice: async (deviceId: string): Promise<void> => void (await repository.deleteByDevice(deviceId)),
    /** Registers a step that removes what a feature keeps of a deleted switch. */
    onRemoved: removing.add,
    /** Registers a step that moves what a feature keeps of a switch to its new outlet. */
    onMoved: moving.add
  }
}
