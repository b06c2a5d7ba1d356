import { startBaseline } from './baseline/baseline.ts'
import { startChild, type Child } from './child.ts'
import { fillProduct } from './fill/fill-product.ts'
import { cpuMs } from './figures/process-usage.ts'
import { serversOf, startUnlimited } from './product.ts'
import type { Report, Row } from './figures/report.ts'
import { median } from './figures/statistics.ts'
import type { Latency, Target } from './load/target.ts'

/** A system under test with its own load generator. */
interface Side {
  target: Target
  load: Child
  /** The processes whose CPU time counts as the cost of a toggle. */
  servers: number[]
}

interface Measured {
  p50: number
  p99: number
  rate: number
  cpu: number
}

export interface ToggleOptions {
  rounds: number
  users: number
  boards: number
  say(line: string): void
}

/** At an everyday rate and near the maximum rate: each exercises different code paths. */
const warmUps = [
  { perSecond: 500, seconds: 10 },
  { perSecond: 2000, seconds: 10 }
]
/** 750 toggles, so that the p99 does not depend on only four of them. */
const calm = { perSecond: 50, seconds: 15 }
const working = { perSecond: 400, seconds: 5 }
const rampSeconds = 3
const firstRate = 500
const sustainedP99Ms = 100
/** The search ends when the ratio of a failing to a passing rate is at most this. */
const finest = 1.12

/**
 * Measures a tap, from the emit on a screen to the update on it, for the product and a bare relay, alternating in one run.
 * Then measures the maximum rate of each with a p99 of at most 100 ms, and the CPU time of a toggle.
 */
export async function measureToggle({ rounds, users, boards, say }: ToggleOptions): Promise<Report> {
  const [product, bare] = [await startUnlimited(), await startBaseline({ users, boards })]
  try {
    say(`${users} people, ${boards} boards`)
    const { target } = await fillProduct(product, { users, boards })
    const ours = await startSide(target, serversOf(product))
    const theirs = await startSide(bare.target, [bare.pids.relay, bare.pids.broker])
    const results: { ours: Measured[]; theirs: Measured[] } = { ours: [], theirs: [] }
    for (let round = 1; round <= rounds; round += 1) {
      // Alternate the order, so that a machine that slows down or warms up favors neither side.
      const order = round % 2 === 1 ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const)
      for (const side of order) {
        const measured = await measure(side === 'ours' ? ours : theirs)
        results[side].push(measured)
        say(
          `round ${round}, ${side === 'ours' ? 'ours' : 'bare'}: p50 ${measured.p50.toFixed(2)} ms, p99 ${measured.p99.toFixed(1)} ms, ${measured.rate.toFixed(0)}/s, ${measured.cpu.toFixed(2)} ms CPU`
        )
      }
    }
    const unacknowledged = await ours.load.ask<number>({ do: 'settle', withinMs: 10_000 })
    await Promise.all([ours.load.stop(), theirs.load.stop()])
    return {
      name: 'toggle',
      about: `A tap until every screen of that board shows it; ${boards} boards by TLS, ${users} people, median of ${rounds} rounds taken in turns.`,
      against: 'bare relay',
      rows: rowsOf(results),
      notes: [
        'Ours authorizes, parses, stores, logs and acknowledges each command; the bare relay (socket.io + aedes, TLS, QoS 0, TCP_NODELAY) does none of it.',
        `Reports that were not acknowledged as stored 10 s after the end: ${unacknowledged}.`
      ]
    }
  } finally {
    await Promise.all([product.stop(), bare.stop()])
  }
}

async function startSide(target: Target, servers: number[]): Promise<Side> {
  const load = startChild(new URL('./load/load-generator.ts', import.meta.url))
  await load.ask({ do: 'connect', target })
  // Warm up, because the code of a server that has just started is not compiled yet.
  for (const pace of warmUps) {
    await load.ask({ do: 'toggle', ...pace })
    await load.ask({ do: 'settle', withinMs: 5000 })
  }
  return { target, load, servers }
}

async function measure(side: Side): Promise<Measured> {
  // An overloaded server may have lost connections. Begin each round with all of them.
  await side.load.ask({ do: 'close' })
  await side.load.ask({ do: 'connect', target: side.target })
  const { p50, p99 } = await toggle(side, calm)
  const before = cpuOf(side)
  const { done } = await toggle(side, working)
  const cpu = (cpuOf(side) - before) / done
  return { p50, p99, cpu, rate: await sustainedRate(side) }
}

async function toggle(side: Side, pace: { perSecond: number; seconds: number }): Promise<Latency> {
  const latency = await side.load.ask<Latency>({ do: 'toggle', ...pace })
  await side.load.ask({ do: 'settle', withinMs: 5000 })
  return latency
}

/**
 * Finds the highest rate with a p99 within 100 ms and without losses: doubles the rate until it fails, then narrows it
 * down. A rate must fail twice, because a single failure may be caused by the machine.
 */
async function sustainedRate(side: Side): Promise<number> {
  const passes = async (perSecond: number): Promise<boolean> => {
    const { done, lost, p99 } = await toggle(side, { perSecond, seconds: rampSeconds })
    return done > 0 && lost === 0 && p99 <= sustainedP99Ms
  }
  const holds = async (perSecond: number): Promise<boolean> => (await passes(perSecond)) || passes(perSecond)
  let low = 0
  let high = firstRate
  while (await holds(high)) {
    low = high
    high *= 2
  }
  while (low === 0 && high > 10) {
    high /= 2
    if (await holds(high)) low = high
  }
  while (low > 0 && high / low > finest) {
    const middle = Math.sqrt(low * high)
    if (await holds(middle)) low = middle
    else high = middle
  }
  return low
}

const cpuOf = ({ servers }: Side): number => servers.reduce((sum, pid) => sum + (cpuMs(pid) ?? Number.NaN), 0)

function rowsOf({ ours, theirs }: { ours: Measured[]; theirs: Measured[] }): Row[] {
  const row = (what: string, unit: string, key: keyof Measured, goal: Row['goal']): Row => ({
    what,
    unit,
    ours: median(ours.map((measured) => measured[key])),
    against: median(theirs.map((measured) => measured[key])),
    goal
  })
  return [
    row('round trip, p50', 'ms', 'p50', { ratio: 1.5, is: 'atMost' }),
    row('round trip, p99', 'ms', 'p99', { ratio: 2, is: 'atMost' }),
    row('toggles a second at p99 ≤ 100 ms', '/s', 'rate', { ratio: 0.6, is: 'atLeast' }),
    row('server CPU a toggle', 'ms', 'cpu', null)
  ]
}
