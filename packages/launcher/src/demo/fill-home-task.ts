import { systemClock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { runTask } from '../child-task.ts'
import { createBoardWall } from './board-wall.ts'
import { setUpDemoHome } from './demo-home.ts'
import { localUrl } from '../local-call.ts'
import { createProductApi, type ProductApi } from './product-api.ts'
import type { Progress } from '../launch/progress.ts'
import type { FillHomeNews, FillHomePlan, FillHomeWords } from './fill-home.ts'

runTask<FillHomePlan, FillHomeWords>(async (plan, send) => {
  const { ports, secrets } = plan
  const api = createProductApi({
    base: localUrl(ports.http),
    internal: { base: localUrl(ports.internal), secret: secrets.INTERNAL_SECRET },
    clock: systemClock
  })
  const progress = notifyProgress((news) => send({ news }))
  send({ notes: await fill(plan, api, progress) })
})

async function fill(plan: FillHomePlan, api: ProductApi, progress: Progress): Promise<string[]> {
  const { ports, data, secrets, admin } = plan
  try {
    await setUpDemoHome({
      data,
      secrets,
      progress,
      clock: systemClock,
      api,
      admin,
      wall: createBoardWall(localUrl(ports.wall)),
      address: { host: '127.0.0.1', httpPort: ports.http, mqttPort: ports.mqtt }
    })
    return []
  } catch (error) {
    // The product runs and may be in use, so do not fail. The next start resumes here.
    const why = messageOf(error)
    return [`The demo home is not complete: ${why} The next start goes on with it.`]
  }
}

/** Sends progress to the launcher, which owns the terminal. */
const notifyProgress = (notify: (news: FillHomeNews) => void): Progress => ({
  say: (line) => notify({ kind: 'say', line }),
  step(title) {
    notify({ kind: 'step', title })
    return {
      at: (detail) => notify({ kind: 'at', detail }),
      done: (detail) => notify({ kind: 'done', detail }),
      failed: () => notify({ kind: 'failed' })
    }
  }
})
