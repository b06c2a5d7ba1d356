import { runInChild } from '../child-task.ts'
import type { HomeKind } from '../data/home-kind.ts'
import type { PartsPlan } from '../parts/parts.ts'
import type { Progress, Step } from '../launch/progress.ts'
import type { Secrets } from '../data/secrets.ts'

/** The parameters for filling the demo home. */
export interface FillHomePlan {
  data: string
  secrets: Secrets
  ports: PartsPlan['ports']
  admin: { email: string; password: string }
}

/** A progress message of the helper process. */
export type FillHomeNews =
  | { kind: 'say'; line: string }
  | { kind: 'step'; title: string }
  | { kind: 'at'; detail: string }
  | { kind: 'done'; detail?: string | undefined }
  | { kind: 'failed' }

export type FillHomeWords = { news: FillHomeNews } | { notes: string[] }

/**
 * Fills a demo home that is not finished. Resolves with the kind of accounts that the home then has, and with notes for the
 * user. @throws Error when the helper fails.
 */
export async function finishHome(
  home: { kind: HomeKind; isFinished: boolean },
  plan: FillHomePlan & { hasMailServer: boolean },
  progress: Progress
): Promise<{ kind: HomeKind; notes: string[] }> {
  if (home.kind === 'empty' || home.isFinished) return { kind: home.kind, notes: [] }
  const { hasMailServer, data, secrets, ports, admin } = plan
  if (hasMailServer)
    return {
      kind: 'empty',
      notes: ['A mail server is set, so no demo home was made: its people could not read their codes here.']
    }
  return { kind: 'demo', notes: await fillHome({ data, secrets, ports, admin }, progress) }
}

/** Runs in its own process, so that the API client does not stay in memory. Resolves with notes for the user. */
async function fillHome(plan: FillHomePlan, progress: Progress): Promise<string[]> {
  let step: Step | null = null
  let notes: string[] = []
  const script = new URL('./fill-home-task.ts', import.meta.url)
  await runInChild<FillHomePlan, FillHomeWords>(script, plan, (message) => {
    if ('notes' in message) notes = message.notes
    else step = show(message.news, progress, step)
  })
  return notes
}

function show(news: FillHomeNews, progress: Progress, step: Step | null): Step | null {
  if (news.kind === 'step') return progress.step(news.title)
  if (news.kind === 'say') progress.say(news.line)
  else if (news.kind === 'at') step?.at(news.detail)
  else if (news.kind === 'done') step?.done(news.detail)
  else step?.failed()
  return step
}
