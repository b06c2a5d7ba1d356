import { setTimeout as pause } from 'node:timers/promises'
import { startBaseline } from './baseline/baseline.ts'
import { startChild } from './child.ts'
import { fillProduct } from './fill/fill-product.ts'
import { residentKib } from './figures/process-usage.ts'
import { startUnlimited } from './product.ts'
import type { Report } from './figures/report.ts'
import { median } from './figures/statistics.ts'
import type { Target } from './load/target.ts'

export interface ConnectionsOptions {
  rounds: number
  boards: number
  say(line: string): void
}

interface Measured {
  perSecond: number
  kibPerBoard: number
}

const people = 20
/** The buffers of the handshakes are released after a while. */
const settleMs = 3000

/** Measures how fast boards connect by TLS (the product authenticates them, the baseline does not), and memory per board. */
export async function measureConnections({ rounds, boards, say }: ConnectionsOptions): Promise<Report> {
  const results: { ours: Measured[]; theirs: Measured[] } = { ours: [], theirs: [] }
  const product = await startUnlimited()
  try {
    const { target } = await fillProduct(product, { users: people, boards })
    say(`${boards} boards have their credentials`)
    for (let round = 1; round <= rounds; round += 1) {
      // The baseline gets new processes in each round. The product keeps the boards in its caches, like a broker in a
      // reconnect storm.
      const bare = await startBaseline({ users: people, boards })
      try {
        results.theirs.push(await storm(bare.target, bare.pids.broker))
      } finally {
        await bare.stop()
      }
      results.ours.push(await storm(target, product.pids.broker))
      for (const side of ['ours', 'theirs'] as const) {
        const measured = results[side].at(-1)
        say(
          `round ${round}, ${side}: ${measured?.perSecond.toFixed(0)}/s, ${measured?.kibPerBoard.toFixed(1)} KiB a board`
        )
      }
    }
  } finally {
    await product.stop()
  }
  const middle = (side: Measured[], key: keyof Measured): number => median(side.map((measured) => measured[key]))
  return {
    name: 'connections',
    about: `${boards} boards that connect by TLS and subscribe; median of ${rounds} rounds taken in turns.`,
    against: 'bare aedes',
    rows: [
      {
        what: 'connections a second',
        unit: '/s',
        ours: middle(results.ours, 'perSecond'),
        against: middle(results.theirs, 'perSecond'),
        goal: { ratio: 0.77, is: 'atLeast' }
      },
      {
        what: 'memory a board',
        unit: 'KiB',
        ours: middle(results.ours.slice(0, 1), 'kibPerBoard'),
        against: middle(results.theirs, 'kibPerBoard'),
        goal: { ratio: 1.3, is: 'atMost' }
      }
    ],
    notes: [
      '0.77 is 1 / 1.3. Memory of ours is taken in the first round, when its process is as fresh as the bare one.'
    ]
  }
}

async function storm(target: Target, brokerPid: number): Promise<Measured> {
  const generator = startChild(new URL('./load/storm-generator.ts', import.meta.url))
  try {
    const before = residentKib(brokerPid) ?? Number.NaN
    const { perSecond, failed } = await generator.ask<{ perSecond: number; failed: number }>({ do: 'connect', target })
    if (failed > 0) throw new Error(`${failed} of ${target.boards.length} boards could not connect.`)
    await pause(settleMs)
    const after = residentKib(brokerPid) ?? Number.NaN
    await generator.ask({ do: 'close' })
    await pause(settleMs)
    return { perSecond, kibPerBoard: (after - before) / target.boards.length }
  } finally {
    await generator.stop()
  }
}
