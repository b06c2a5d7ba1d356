import { startProduct } from '@batti/launcher/testing/start-product'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './figures/statistics.ts'
import type { Report } from './figures/report.ts'

export interface StopOptions {
  rounds: number
  say(line: string): void
}

const goalS = 5

/** Measures the time from the signal until every process of a demo home has ended. */
export async function measureStop({ rounds, say }: StopOptions): Promise<Report> {
  const data = await mkdtemp(join(tmpdir(), 'batti-stop-'))
  const seconds: number[] = []
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const product = await startProduct({ data })
      const askedAt = performance.now()
      await product.stop()
      const took = (performance.now() - askedAt) / 1000
      seconds.push(took)
      say(`round ${round}: ${took.toFixed(2)} s`)
    }
  } finally {
    await rm(data, { recursive: true, force: true })
  }
  const what = 'until its last process has ended'
  return {
    name: 'stop',
    about: `A demo home with its boards is asked to stop; median of ${rounds} rounds.`,
    against: 'goal',
    rows: [{ what, unit: 's', ours: median(seconds), against: goalS, goal: { ratio: 1, is: 'atMost' } }]
  }
}
