import type { Report } from './report.ts'
import { measureToggle } from './toggle.ts'

export interface BenchmarkOptions {
  /** Fewer rounds and less load: to see that it works, not to publish. */
  quick: boolean
  say(line: string): void
}

/** Every benchmark by the name that `npm run bench -- NAME` takes. */
export const benchmarks: Record<string, (options: BenchmarkOptions) => Promise<Report>> = {
  toggle: ({ quick, say }) => measureToggle({ rounds: quick ? 1 : 3, users: 10, boards: quick ? 100 : 200, say })
}
