import {
  createSwitch,
  deleteSwitch,
  getSwitch,
  getSwitchByDevice,
  listFavoriteSwitches,
  listSwitches,
  updateSwitch,
  updateSwitchRecord
} from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { isStaff } from '../../platform/people/actor.ts'
import { on, Reply, type RouteHandler } from '../../platform/http/call.ts'
import type { SwitchesService } from './switches.service.ts'

export function switchRoutes(deps: {
  switches: SwitchesService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { switches, audit, find } = deps
  const kind = 'switch'
  const update = (id: string) => ({ action: 'switch.update', kind, id, find }) as const
  return [
    on(listSwitches, async ({ actor, query }) => {
      const list = await switches.list(actor, query)
      // The only exception to the envelope: for staff, `data` is the list itself.
      if (isStaff(actor)) return new Reply(list.switches, { shape: 'list', beside: list })
      return { data: list.switches, ...list }
    }),
    on(listFavoriteSwitches, ({ actor, query }) => switches.listFavorites(actor, query)),
    on(getSwitch, ({ actor, params }) => switches.get(actor, params.id)),
    on(getSwitchByDevice, ({ actor, params }) => switches.getByDevice(actor, params.deviceId, params.index)),
    on(updateSwitch, async (call) => {
      const { actor, params, body } = call
      const { status, speed, ...names } = body
      const isNamed = names.switchName !== undefined || names.isFavorite !== undefined
      if (actor.role !== 'admin' || !isNamed) return switches.update(actor, params.id, body, 'web')
      // Commanded before the transaction, because a board may take four seconds to answer.
      if (status !== undefined || speed !== undefined) await switches.update(actor, params.id, { status, speed }, 'web')
      return audit(call, update(params.id), () => switches.update(actor, params.id, names, 'web'))
    }),
    on(createSwitch, (call) =>
      audit(call, { action: 'switch.create', kind, find }, () => switches.create(call.actor, call.body))
    ),
    on(updateSwitchRecord, async (call) => {
      const { actor, params, body } = call
      const { status, ...fields } = body
      if (status !== undefined) await switches.commandRecord(actor, params.id, body)
      return audit(call, update(params.id), () => switches.updateRecord(actor, params.id, fields))
    }),
    on(deleteSwitch, async (call) => {
      const { actor, params } = call
      const write = { action: 'switch.delete', kind, id: params.id, find } as const
      await audit(call, write, () => switches.remove(actor, params.id))
    })
  ]
}
