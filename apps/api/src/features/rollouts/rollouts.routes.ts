import {
  bulkDevices,
  createRollout,
  getRollout,
  listDeviceFirmware,
  listRollouts,
  listRolloutTargets,
  previewRollout,
  retryRollout,
  rollForward,
  updateDeviceFirmware,
  updateRollout
} from '@batti/contracts'
import { on, Reply, type RouteHandler } from '../../platform/http/call.ts'
import type { DeviceUpdatesService } from './device-updates.service.ts'
import type { RolloutsService } from './rollouts.service.ts'

export interface RolloutRoutesOptions {
  rollouts: RolloutsService
  updates: DeviceUpdatesService
}

export function rolloutRoutes({ rollouts, updates }: RolloutRoutesOptions): RouteHandler[] {
  return [
    on(listDeviceFirmware, ({ query }) => updates.choices(query)),
    on(updateDeviceFirmware, ({ body, actor }) => updates.start(body.deviceId, body.fileName, actor.userId)),
    on(createRollout, ({ body, actor }) => rollouts.create(body, actor.userId)),
    on(previewRollout, ({ body }) => rollouts.preview(body)),
    on(listRollouts, ({ query }) => rollouts.list(query)),
    on(getRollout, ({ params }) => rollouts.get(params.id)),
    on(listRolloutTargets, ({ params, query }) => rollouts.listTargets(params.id, query)),
    on(updateRollout, ({ params, body, actor }) => rollouts.update(params.id, body.state, actor.userId)),
    on(retryRollout, ({ params, body }) => rollouts.retry(params.id, body)),
    on(rollForward, ({ params, body, actor }) => rollouts.rollForward(params.id, body.fileName, actor.userId)),
    on(bulkDevices, async ({ body, query, actor }) => {
      const isPreview = query.preview === '1' || query.preview === 'true'
      const target = body.deviceIds === undefined ? { filter: body.filter ?? {} } : { deviceIds: body.deviceIds }
      const made = await rollouts.bulk({ target, set: body.set, isPreview }, actor.userId)
      return isPreview ? new Reply(made, { status: 200, message: 'OK' }) : made
    })
  ]
}
