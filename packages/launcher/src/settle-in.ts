import { runApart } from './apart.ts'
import type { Account } from './closing-block.ts'
import type { PartsPlan } from './parts.ts'
import type { Progress, Step } from './progress.ts'
import type { Secrets } from './secrets.ts'

/** What is left to do when the product is up. */
export interface SettleInPlan {
  data: string
  secrets: Secrets
  ports: PartsPlan['ports']
  admin: { email: string; password: string }
  /** The demo home is to be made, or made to its end. */
  fillsHome: boolean
  /** Those that a start tells of. */
  accounts: readonly Account[]
}

/** What the helper tells of its progress. */
export type SettleInNews =
  | { kind: 'say'; line: string }
  | { kind: 'step'; title: string }
  | { kind: 'at'; detail: string }
  | { kind: 'done'; detail?: string | undefined }
  | { kind: 'failed' }

export type SettleInWords = { news: SettleInNews } | { settled: SettledIn }

export interface SettledIn {
  /** Those that can log in: a database that was there before may have other people in it. */
  accounts: Account[]
  notes: string[]
}

/** The client of the product's API, which does this, is needed once. @throws Error when it fails as a whole. */
export async function settleIn(plan: SettleInPlan, progress: Progress): Promise<SettledIn> {
  let step: Step | null = null
  let settled: SettledIn = { accounts: [], notes: [] }
  const script = new URL('./settle-in-apart.ts', import.meta.url)
  await runApart<SettleInPlan, SettleInWords>(script, plan, (message) => {
    if ('settled' in message) settled = message.settled
    else step = show(message.news, progress, step)
  })
  return settled
}

function show(news: SettleInNews, progress: Progress, step: Step | null): Step | null {
  if (news.kind === 'step') return progress.step(news.title)
  if (news.kind === 'say') progress.say(news.line)
  else if (news.kind === 'at') step?.at(news.detail)
  else if (news.kind === 'done') step?.done(news.detail)
  else step?.failed()
  return step
}
