import { systemClock } from '@batti/kit/clock'
import { takeTask } from './apart.ts'
import { createBoardWall } from './board-wall.ts'
import { canLogIn } from './demo-accounts.ts'
import { setUpDemoHome } from './demo-home.ts'
import { createProductApi, type ProductApi } from './product-api.ts'
import type { Progress } from './progress.ts'
import type { SettleInNews, SettleInPlan, SettleInWords } from './settle-in.ts'

takeTask<SettleInPlan, SettleInWords>(async (plan, send) => {
  const { ports, secrets } = plan
  const api = createProductApi({
    base: `http://127.0.0.1:${ports.http}`,
    internal: { base: `http://127.0.0.1:${ports.internal}`, secret: secrets.INTERNAL_SECRET },
    clock: systemClock
  })
  const progress = notifyProgress((news) => send({ news }))
  const notes = plan.fillsHome ? await fillHome(plan, api, progress) : []
  const known = await Promise.all(plan.accounts.map(({ email, password }) => canLogIn(api, email, password)))
  for (const [index, { email }] of plan.accounts.entries())
    if (known[index] !== true) notes.push(`${email} has no account here with the password of the settings.`)
  send({ settled: { accounts: plan.accounts.filter((_, index) => known[index]), notes } })
})

async function fillHome(plan: SettleInPlan, api: ProductApi, progress: Progress): Promise<string[]> {
  const { ports, data, secrets, admin } = plan
  try {
    await setUpDemoHome({
      data,
      secrets,
      progress,
      clock: systemClock,
      api,
      admin,
      wall: createBoardWall(`http://127.0.0.1:${ports.wall}`),
      address: { host: '127.0.0.1', httpPort: ports.http, mqttPort: ports.mqtt }
    })
    return []
  } catch (error) {
    // The product itself is up, and somebody may need it; the next start goes on where this one ended.
    const why = error instanceof Error ? error.message : String(error)
    return [`The demo home is not complete: ${why} The next start goes on with it.`]
  }
}

/** The terminal is the launcher's. */
const notifyProgress = (tell: (news: SettleInNews) => void): Progress => ({
  say: (line) => tell({ kind: 'say', line }),
  step(title) {
    tell({ kind: 'step', title })
    return {
      at: (detail) => tell({ kind: 'at', detail }),
      done: (detail) => tell({ kind: 'done', detail }),
      failed: () => tell({ kind: 'failed' })
    }
  }
})
