import { measureCluster } from './cluster/measure.ts'
import { measureConnections } from './connections.ts'
import { benchDatabase } from './database/database.ts'
import { benchDatabaseWrites } from './database/database-writes.ts'
import { measureLists } from './lists.ts'
import { measureLogins } from './logins.ts'
import { measurePage } from './page.ts'
import type { Report } from './figures/report.ts'
import { measureRollout } from './rollout.ts'
import { measureSchedules } from './schedules.ts'
import { measureStaff } from './staff.ts'
import { measureStop } from './stop.ts'
import { measureToggle } from './toggle.ts'

export interface BenchmarkOptions {
  /** Fewer rounds and less load, to check that the benchmark works, not to publish its results. */
  quick: boolean
  say(line: string): void
}

/** All benchmarks by the name for `npm run bench -- NAME`. */
export const benchmarks: Record<string, (options: BenchmarkOptions) => Promise<Report>> = {
  toggle: ({ quick, say }) => measureToggle({ rounds: quick ? 1 : 3, users: 10, boards: quick ? 100 : 200, say }),
  connections: ({ quick, say }) => measureConnections({ rounds: quick ? 1 : 3, boards: quick ? 300 : 2000, say }),
  logins: ({ quick, say }) => measureLogins({ rounds: quick ? 1 : 3, logins: quick ? 30 : 100, say }),
  database: ({ quick, say }) => benchDatabase({ quick, say }),
  'database-writes': ({ quick, say }) => benchDatabaseWrites({ quick, say }),
  lists: ({ quick, say }) => measureLists({ switches: quick ? 10_000 : 100_000, calls: quick ? 50 : 300, say }),
  page: ({ quick, say }) => measurePage({ visits: quick ? 1 : 5, say }),
  staff: ({ quick, say }) =>
    measureStaff({ boards: quick ? 5000 : 100_000, users: quick ? 2500 : 50_000, calls: quick ? 5 : 30, say }),
  rollout: ({ quick, say }) => measureRollout({ boards: quick ? 200 : 2000, atOnce: quick ? 10 : 20, say }),
  cluster: ({ quick, say }) =>
    measureCluster({ seconds: quick ? 5 : 20, boards: quick ? [20_000] : [20_000, 100_000], say }),
  schedules: ({ quick, say }) => measureSchedules({ count: quick ? 1000 : 10_000, say }),
  stop: ({ quick, say }) => measureStop({ rounds: quick ? 1 : 5, say })
}
