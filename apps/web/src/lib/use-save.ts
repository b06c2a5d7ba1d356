import { useRef, useState } from 'react'
import { errorMessage, isLost, isUnsent } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useServices, type Services } from '#web/lib/services.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'

export interface SaveWords<Input extends readonly unknown[], Result> {
  /** Toast after a success; none if the page shows it. */
  done?: string | ((result: Result) => string)
  /** Message when the server gives none. */
  failed: string
  /** Nothing is changed, so that a try without an answer has done nothing. */
  isRead?: boolean
  /** Id of the toast to replace. */
  id?: string
  /** Shows a refusal in its place, such as beside its field; the default is a toast. */
  onRefused?: (message: string, error: unknown) => void
  /** Runs after a success if the component is still mounted. */
  after?: (result: Result) => void
  /**
   * Returns the record of a change, where one component changes several: each record has a running change of its own. A
   * toast says that it is running, as the menu that started it has closed.
   */
  recordOf?: (...input: Input) => string
}

/** A quicker answer needs no sign before it. */
const runningAfterMs = 250

/** Shows a toast if the answer takes longer; the returned function takes it away. */
function sayRunning(clock: Services['clock'], words: string, id: string): () => void {
  const cancel = clock.after(runningAfterMs, () => notify.running(words, id))
  return () => {
    cancel()
    notify.dismiss(id)
  }
}

/**
 * Runs a change and reports its result with a toast, which replaces that of a failed try. `save` returns whether it succeeded
 * and the component is still mounted, so that a late answer does not navigate a page that was left. Ignored while a change of
 * the same record is running.
 */
export function useSave<Input extends readonly unknown[], Result>(
  change: (...input: Input) => Promise<Result>,
  { done, failed, isRead, id, onRefused, after, recordOf }: SaveWords<Input, Result>
) {
  const t = useText()
  const { clock } = useServices()
  const [running, setRunning] = useState(0)
  // Two presses may come before the first is rendered.
  const inHand = useRef(new Set<string>())
  /** What was said of the last try, for each record. */
  const told = useRef(new Map<string, string[]>())
  const isShown = useIsShown()
  async function save(...input: Input): Promise<boolean> {
    const record = recordOf?.(...input) ?? ''
    if (inHand.current.has(record)) return false
    inHand.current.add(record)
    setRunning(inHand.current.size)
    const answered = recordOf && sayRunning(clock, t('common.saving'), `running ${record}`)
    try {
      const result = await change(...input).finally(answered)
      for (const toast of told.current.get(record) ?? []) notify.dismiss(toast)
      if (done !== undefined) notify.success(typeof done === 'string' ? done : done(result), id)
      if (isShown.current) after?.(result)
      return isShown.current
    } catch (error) {
      const message = errorMessage(error, failed)
      if (message === null) return false
      // Whether it failed is not known: the answer may have been lost after the server had done it. The newest is on top.
      const hint = isUnsent(error) ? t('shell.notConnected') : !isRead && isLost(error) ? t('common.noAnswer') : null
      if (hint !== null) notify.info(hint)
      // A toast with an id is replaced by the next one.
      told.current.set(record, [...(id === undefined ? [message] : []), ...(hint === null ? [] : [hint])])
      if (onRefused === undefined || !isShown.current) notify.error(message, id)
      else onRefused(message, error)
      return false
    } finally {
      inHand.current.delete(record)
      setRunning(inHand.current.size)
    }
  }
  return { save, isSaving: running > 0 }
}
