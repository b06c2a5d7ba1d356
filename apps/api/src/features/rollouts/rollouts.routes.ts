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
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, Reply, type RouteHandler } from '../../platform/http/call.ts'
import type { DeviceUpdatesService } from './device-updates.service.ts'
import type { RolloutsService } from './rollouts.service.ts'

export interface RolloutRoutesOptions {
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
  /** Includes how many of its boards have failed. */
  findWithFailed(id: string): Promise<AuditSubject | null>
  findBoard(deviceId: string): Promise<AuditSubject | null>
  rollouts: RolloutsService
  updates: DeviceUpdatesService
}

export function rolloutRoutes(options: RolloutRoutesOptions): RouteHandler[] {
  const { rollouts, updates, audit, find } = options
  const kind = 'rollout'
  return [
    on(listDeviceFirmware, ({ query }) => updates.choices(query)),
    on(updateDeviceFirmware, async (call) => {
      const { body, actor } = call
      const board = await options.findBoard(body.deviceId)
      const label = `${board?.label ?? ''} ${body.fileName}`.trim()
      const write = { action: 'firmware.update', kind: 'device', id: body.deviceId, label } as const
      return audit(call, write, () => updates.start(body.deviceId, body.fileName, actor.userId))
    }),
    on(createRollout, (call) =>
      rollouts.create(call.body, call.actor.userId, (store) =>
        audit(call, { action: 'rollout.create', kind, find }, store)
      )
    ),
    on(previewRollout, ({ body }) => rollouts.preview(body)),
    on(listRollouts, ({ query: { phase, ...query } }) => rollouts.list({ ...query, state: query.state ?? phase })),
    on(getRollout, ({ params }) => rollouts.get(params.id)),
    on(listRolloutTargets, ({ params, query }) => rollouts.listTargets(params.id, query)),
    on(updateRollout, (call) => {
      const { params, body, actor } = call
      return audit(call, { action: 'rollout.update', kind, id: params.id, find }, () =>
        rollouts.update(params.id, body.state, actor.userId)
      )
    }),
    on(retryRollout, (call) => {
      const { params, body } = call
      const write = { action: 'rollout.retry', kind, id: params.id, find: options.findWithFailed } as const
      return rollouts.retry(params.id, body, (store) => audit(call, write, store))
    }),
    on(rollForward, (call) => {
      const { params, body, actor } = call
      // Two audit rows: for the new rollout, and for the one that it ends.
      return rollouts.rollForward(params.id, body.fileName, {
        userId: actor.userId,
        inAudit: (store) =>
          audit(call, { action: 'rollout.update', kind, id: params.id, find }, () =>
            audit(call, { action: 'rollout.roll-forward', kind, find }, store)
          )
      })
    }),
    on(bulkDevices, async (call) => {
      const { body, query, actor } = call
      if (query.preview === '1' || query.preview === 'true')
        return new Reply(await rollouts.previewBulk(body), { status: 200, message: 'OK' })
      return rollouts.bulk(body, actor.userId, (store) => audit(call, { action: 'bulk.create', kind, find }, store))
    })
  ]
}
