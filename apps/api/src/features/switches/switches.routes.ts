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
import { isStaff } from '../../platform/people/actor.ts'
import { on, Reply, type RouteHandler } from '../../platform/http/call.ts'
import type { SwitchesService } from './switches.service.ts'

export function switchRoutes({ switches }: { switches: SwitchesService }): RouteHandler[] {
  return [
    on(listSwitches, async ({ actor, query }) => {
      const list = await switches.list(actor, query)
      // The one exception of the envelope: for staff `data` is the list itself (contract-decisions §1).
      if (isStaff(actor)) return new Reply(list.switches, { shape: 'list', beside: list })
      return { data: list.switches, ...list }
    }),
    on(listFavoriteSwitches, ({ actor, query }) => switches.listFavorites(actor, query)),
    on(getSwitch, ({ actor, params }) => switches.get(actor, params.id)),
    on(getSwitchByDevice, ({ actor, params }) => switches.getByDevice(actor, params.deviceId, params.index)),
    on(updateSwitch, ({ actor, params, body }) => switches.update(actor, params.id, body, 'web')),
    on(createSwitch, ({ actor, body }) => switches.create(actor, body)),
    on(updateSwitchRecord, ({ actor, params, body }) => switches.updateRecord(actor, params.id, body)),
    on(deleteSwitch, ({ actor, params }) => switches.remove(actor, params.id))
  ]
}
