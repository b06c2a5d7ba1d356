/** `npm run bench -- staff`: measures all lists of the staff area, Find and the fleet, with a large installation. */
import { messageOf } from '@batti/kit/message-of'
import { performance } from 'node:perf_hooks'
import type { Actor } from '../../apps/api/src/platform/people/actor.ts'
import { startApi, type TestApi } from '../../apps/api/src/testing/test-api.ts'
import { fillStaff, switchesPerBoard } from './fill/fill-staff.ts'
import { emptyDatabase } from './fill/with-database.ts'
import { cpuMs } from './figures/process-usage.ts'
import type { Report, Row } from './figures/report.ts'
import { percentile } from './figures/statistics.ts'

const listGoalMs = 100
const fleetGoalMs = 20
/** Time limit per list. A slow list still gets a result. */
const budgetMs = 20_000

const lists: readonly [what: string, path: string][] = [
  ['users', '/users?limit=200'],
  ['users by name', '/users?limit=200&sort=name'],
  ['users found', '/users?limit=200&search=Thapa%20123'],
  ['users found by what all have', '/users?limit=200&search=thapa'],
  ['users by their boards', '/users?limit=200&sort=-deviceCount'],
  ['devices', '/devices?limit=100'],
  ['devices by name', '/devices?limit=100&sort=setName'],
  ['devices by version', '/devices?limit=100&sort=-osVersion'],
  ['devices by owner', '/devices?limit=100&sort=owner'],
  ['devices by room', '/devices?limit=100&sort=-room'],
  ['devices by signal', '/devices?limit=100&sort=wifiRSSI'],
  ['devices that are offline', '/devices?limit=100&status=offline'],
  ['devices online by name', '/devices?limit=100&status=online&sort=setName'],
  ['devices that are weak', '/devices?limit=100&health=weak'],
  ['devices found by MAC', '/devices?limit=100&search=0A-00-00-00-12'],
  ['devices found by owner', '/devices?limit=100&search=thapa%20123'],
  ['rooms', '/rooms?limit=200'],
  ['rooms by name', '/rooms?limit=200&sort=roomName'],
  ['rooms by boards online', '/rooms?limit=200&sort=-onlineCount'],
  ['switches', '/switches?limit=300'],
  ['switches by name', '/switches?limit=300&sort=switchName'],
  ['switches by board', '/switches?limit=300&sort=deviceName'],
  ['switches by state', '/switches?limit=300&sort=-status'],
  ['switches found', '/switches?limit=300&search=attic%20lamp%2012'],
  ['switches found by what all have', '/switches?limit=300&search=lamp'],
  ['favourites', '/favorite-switches?limit=300'],
  ['favourites by name', '/favorite-switches?limit=300&sort=switchName'],
  ['schedules', '/schedules?limit=200'],
  ['schedules by label', '/schedules?limit=200&sort=label'],
  ['schedules by board', '/schedules?limit=200&sort=device'],
  ['schedules found', '/schedules?limit=200&search=evening%20123'],
  ['action log', '/switch-action-logs?limit=100'],
  ['action log of a person', '/switch-action-logs?limit=100&userId=USER'],
  ['action log found', '/switch-action-logs?limit=100&search=lamp%20123'],
  ['action log found by a person', '/switch-action-logs?limit=100&search=Thapa%20123'],
  ['action log found by what all have', '/switch-action-logs?limit=100&search=lamp'],
  ['action log without a hit', '/switch-action-logs?limit=100&search=chandelier'],
  ['audit log', '/audit-logs?limit=100'],
  ['audit log by target', '/audit-logs?limit=100&sort=target'],
  ['audit log found', '/audit-logs?limit=100&search=board%20123'],
  ['audit log without a hit', '/audit-logs?limit=100&search=chandelier'],
  ['audit log of an action', '/audit-logs?limit=100&action=device.update'],
  ['Find a person', '/search?q=Thapa%2077'],
  ['Find what all have', '/search?q=thapa'],
  ['Find a board by its MAC', '/search?q=0A%3A00%3A00%3A00%3A12%3A34'],
  ['boards that need a hand', '/fleet/attention?limit=100']
]

export async function measureStaff(options: {
  boards: number
  users: number
  calls: number
  say(line: string): void
}): Promise<Report> {
  const { boards, users, calls, say } = options
  const app = await startApi({ at: '2026-11-20T06:00:00Z' })
  try {
    const admin = app.person('admin')
    const { aUser } = await fillStaff(app, { boards, users, say })
    const database = await pidOf(app)
    const rows: Row[] = []
    const measure = async (what: string, path: string, goalMs: number) => {
      const { took, cpu, error } = await requestRepeatedly(app, path.replace('USER', aUser), {
        as: admin,
        calls,
        database
      })
      const p95 = percentile(took, 0.95)
      say(`${what}: p95 ${p95.toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms a call, ${took.length} calls${error}`)
      rows.push(
        { what: `${what}, p95`, unit: 'ms', ours: p95, against: goalMs, goal: { ratio: 1, is: 'atMost' } },
        { what: `${what}, CPU a call`, unit: 'ms', ours: cpu, against: null, goal: null }
      )
    }
    for (const [what, path] of lists) await measure(what, path, listGoalMs)
    // A start counts every board, but these were inserted directly into the database afterwards.
    // A failure shows as a missing result below.
    await app.fleet.sweep().catch((error: unknown) => say(`the fleet was not counted: ${String(error)}`))
    await measure('fleet', '/fleet', fleetGoalMs)
    return {
      name: 'staff',
      about: `${boards} boards, ${boards * switchesPerBoard} switches and ${users} users in the embedded database, up to ${calls} calls of each over HTTP, one at a time.`,
      against: 'goal',
      rows,
      notes: ['CPU is that of the api and the database together. The first call of each list is not counted.']
    }
  } finally {
    await emptyDatabase(app)
    await app.stop()
  }
}

/** Calls until there are enough samples or the time is over. A failure has no result, but stops nothing else. */
async function requestRepeatedly(
  app: TestApi,
  path: string,
  { as, calls, database }: { as: Actor; calls: number; database: number }
): Promise<{ took: number[]; cpu: number; error: string }> {
  const took: number[] = []
  try {
    await ask(app, path, as)
    const before = cpuOf(database)
    const deadline = performance.now() + budgetMs
    while (took.length < calls && performance.now() < deadline) {
      const start = performance.now()
      await ask(app, path, as)
      took.push(performance.now() - start)
    }
    return { took, cpu: (cpuOf(database) - before) / took.length, error: '' }
  } catch (error) {
    return { took: [], cpu: Number.NaN, error: `: ${messageOf(error)}` }
  }
}

function cpuOf(database: number): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + (cpuMs(database) ?? Number.NaN)
}

async function pidOf(app: TestApi): Promise<number> {
  const status = await app.connection.db?.admin().command({ serverStatus: 1 })
  return Number(status?.['pid'])
}

async function ask(app: TestApi, path: string, as: Actor): Promise<void> {
  const answer = await app.call('GET', path, as)
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.message}`)
}
