import type { Connection } from 'mongoose'
import { createCommandModel } from './commands/command.model.ts'
import { createDeviceModel } from './registry/device.model.ts'
import { createSwitchModel } from './registry/switch.model.ts'
import { createActionLogModel } from './reports/action-log.model.ts'

/** What is stored of boards: themselves, their outlets, the commands to them and the log of what they did. */
export function createBoardModels(connection: Connection) {
  return {
    devices: createDeviceModel(connection),
    switches: createSwitchModel(connection),
    actionLogs: createActionLogModel(connection),
    commands: createCommandModel(connection)
  }
}

export type BoardModels = ReturnType<typeof createBoardModels>
