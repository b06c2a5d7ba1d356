import { getDashboard, getHome } from '@batti/contracts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { OverviewService } from './overview.service.ts'

export function overviewRoutes({ overview }: { overview: OverviewService }): RouteHandler[] {
  return [on(getHome, ({ actor }) => overview.home(actor)), on(getDashboard, ({ actor }) => overview.dashboard(actor))]
}
