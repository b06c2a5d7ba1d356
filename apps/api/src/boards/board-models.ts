import type { Connection } from 'mongoose'
import { createCommandModel } from './commands/command.model.ts'
import { createDeviceModel } from './registry/device.model.ts'
import { createSwitchModel } from './registry/switch.model.ts'
import { createActionLogModel } from './reports/action-log.model.ts'

/** Creates the models of what is stored of boards: the boards, their outlets, commands and the action log. */
export function createBoardModels(connection: Connection) {
  return {
    devices: createDeviceModel(connection),
    switches: createSwitchModel(connection),
    actionLogs: createActionLogModel(connection),
    commands: createCommandModel(connection)
  }
}

export type BoardModels = ReturnType<typeof createBoardModels>
