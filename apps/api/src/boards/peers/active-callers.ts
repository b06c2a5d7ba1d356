import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import { isStaff, type Actor } from '../../platform/people/actor.ts'
import { callersCame, callersHeard } from './peer-messages.ts'

/** After an account has called an instance, changes of its boards are forwarded there at once for this long. */
const expectedMs = 2 * minuteMs
/** Announced again before the others forget it. */
const renewMs = minuteMs
/** Bounds the wait for answers, because an instance that has just died never answers. */
const longestWaitMs = 150

/** Read-your-writes across instances: a change made through one is visible to the caller's next call on another. */
export interface ActiveCallers {
  /** Resolves when this instance knows what others knew of the caller's boards; undefined when there is nothing to wait for. */
  catchUp(actor: Actor): Promise<void> | undefined
  isExpectedElsewhere(userId: string | null): boolean
}

export function createActiveCallers(deps: {
  cluster: Cluster
  clock: Pick<Clock, 'monotonic'>
  /** Whether boards' messages are currently split among instances. */
  isSplit(): boolean
  announceAnew(announce: () => void): void
}): ActiveCallers {
  const { cluster, clock, isSplit } = deps
  /** Accounts announced to others, until when, the oldest first. */
  const announced = new Map<string, { until: number; heard: Promise<void> }>()
  /** Accounts that others have announced, until when, the oldest first. */
  const expected = new Map<string, number>()
  const questions = new Map<number, { missing: Set<string>; answered(): void }>()
  let asked = 0
  /** The question that is sent after this turn of the event loop. */
  let next: { userIds: string[]; answered: Promise<void> } | undefined

  function nextQuestion(): NonNullable<typeof next> {
    if (next !== undefined) return next
    const question = (asked += 1)
    const made = { userIds: [], answered: untilAnswered(question) }
    next = made
    setImmediate(() => {
      next = undefined
      cluster.publish('callers-came', { instance: cluster.instance, question, userIds: made.userIds })
    })
    return made
  }

  function untilAnswered(question: number): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(answered, longestWaitMs)
      function answered(): void {
        clearTimeout(late)
        questions.delete(question)
        resolve()
      }
      questions.set(question, { missing: new Set(cluster.others()), answered })
    })
  }

  cluster.on('callers-came', callersCame, ({ instance, question, userIds }) => {
    const until = clock.monotonic() + expectedMs
    for (const userId of userIds) {
      expected.delete(userId)
      expected.set(userId, until)
    }
    dropOldest(expected, (each) => each < clock.monotonic())
    cluster.publish('callers-heard', { instance: cluster.instance, to: instance, question })
  })
  cluster.on('callers-heard', callersHeard, ({ instance, to, question }) => {
    const waiting = to === cluster.instance ? questions.get(question) : undefined
    waiting?.missing.delete(instance)
    if (waiting?.missing.size === 0) waiting.answered()
  })
  deps.announceAnew(() => announced.clear())

  return {
    catchUp(actor) {
      if (!isSplit() || cluster.others().length === 0) return undefined
      // Staff may ask about any board, so nothing can be announced for them in advance.
      if (isStaff(actor)) return nextQuestion().answered
      const now = clock.monotonic()
      const known = announced.get(actor.userId)
      if (known !== undefined && known.until > now) return known.heard
      const question = nextQuestion()
      question.userIds.push(actor.userId)
      announced.delete(actor.userId)
      announced.set(actor.userId, { until: now + renewMs, heard: question.answered })
      dropOldest(announced, ({ until }) => until < now)
      return question.answered
    },
    isExpectedElsewhere(userId) {
      const until = userId === null ? undefined : expected.get(userId)
      return until !== undefined && until > clock.monotonic()
    }
  }
}

function dropOldest<Value>(byAge: Map<string, Value>, isOver: (value: Value) => boolean): void {
  for (const [key, value] of byAge) {
    if (!isOver(value)) return
    byAge.delete(key)
  }
}
