import { createClient } from '@batti/client/client'
import { login } from '@batti/contracts'
import { createSemaphore } from '@batti/kit/semaphore'
import type { Product } from '@batti/launcher/testing/start-product'
import { startChild } from './child.ts'
import { fillProduct, type Person } from './fill/fill-product.ts'
import { startUnlimited } from './product.ts'
import type { Report } from './figures/report.ts'
import { median } from './figures/statistics.ts'
import type { Latency } from './load/target.ts'

export interface LoginsOptions {
  rounds: number
  logins: number
  say(line: string): void
}

const counts = { users: 20, boards: 20 }
const atOnce = 8
const pace = { perSecond: 20 }

/** Measures logins per second, compared with password hashing alone, and the latency of toggles during a hundred logins. */
export async function measureLogins({ rounds, logins, say }: LoginsOptions): Promise<Report> {
  const product = await startUnlimited()
  const alone = startChild(new URL('./baseline/bcrypt-alone.ts', import.meta.url))
  const load = startChild(new URL('./load/load-generator.ts', import.meta.url))
  const seen: Record<'rate' | 'bare' | 'calm' | 'busy', number[]> = { rate: [], bare: [], calm: [], busy: [] }
  try {
    const filled = await fillProduct(product, counts)
    await load.ask({ do: 'connect', target: filled.target })
    await load.ask({ do: 'toggle', ...pace, seconds: 3 })
    for (let round = 1; round <= rounds; round += 1) {
      const bare = await alone.ask<number>({ count: logins / 2 })
      const rate = await logAllIn(product, filled.people, logins)
      const calm = await load.ask<Latency>({ do: 'toggle', ...pace, seconds: 8 })
      const [, busy] = await Promise.all([
        logAllIn(product, filled.people, logins),
        load.ask<Latency>({ do: 'toggle', ...pace, seconds: Math.ceil(logins / rate) })
      ])
      seen.bare.push(bare)
      seen.rate.push(rate)
      seen.calm.push(calm.p99)
      seen.busy.push(busy.p99)
      say(
        `round ${round}: ${rate.toFixed(1)} logins/s, bcrypt alone ${bare.toFixed(1)}/s; toggle p99 ${calm.p99.toFixed(1)} ms calm, ${busy.p99.toFixed(1)} ms busy`
      )
    }
  } finally {
    await Promise.all([load.stop(), alone.stop()])
    await product.stop()
  }
  return {
    name: 'logins',
    about: `${logins} logins, ${atOnce} at once, of ${counts.users} people; median of ${rounds} rounds.`,
    against: 'bcrypt alone, or calm',
    rows: [
      {
        what: 'logins a second',
        unit: '/s',
        ours: median(seen.rate),
        against: median(seen.bare),
        goal: { ratio: 0.9, is: 'atLeast' }
      },
      {
        what: `toggle p99 during ${logins} logins`,
        unit: 'ms',
        ours: median(seen.busy),
        against: median(seen.calm),
        goal: { ratio: 3, is: 'atMost' }
      }
    ]
  }
}

/** Returns logins per second. */
async function logAllIn(product: Pick<Product, 'web'>, people: readonly Person[], logins: number): Promise<number> {
  const client = createClient({ base: product.web })
  const { run } = createSemaphore(atOnce)
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: logins }, (_, index) => {
      const { email, password } = people[index % people.length] ?? { email: '', password: '' }
      return run(() => client.call(login, { body: { email, password } }))
    })
  )
  return (logins * 1000) / (performance.now() - startedAt)
}
