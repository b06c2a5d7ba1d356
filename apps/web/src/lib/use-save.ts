import { useRef, useState } from 'react'
import { ApiError, errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'

export interface SaveWords<Result> {
  /** Said when it is done; nothing where the page shows it. */
  done?: string | ((result: Result) => string)
  /** Said when the server has no sentence of its own. */
  failed: string
  /** The toast that it replaces. */
  id?: string
  /** Shows a refusal where it belongs, beside its field for example; without it, it is told as a toast. */
  onRefused?: (message: string, error: unknown) => void
  /** What comes next on the page, where the person still is. */
  after?: (result: Result) => void
}

/**
 * A change that tells how it went: runs it, says "done" or what the server refused, and answers whether it went well
 * and the person is still there: a late answer does not lead back to what was left. A second press while it runs is not
 * taken.
 */
export function useSave<Input extends readonly unknown[], Result>(
  change: (...input: Input) => Promise<Result>,
  { done, failed, id, onRefused, after }: SaveWords<Result>
) {
  const t = useText()
  const [isSaving, setSaving] = useState(false)
  // Two presses can come before the first is drawn.
  const isRunning = useRef(false)
  const isShown = useIsShown()
  async function save(...input: Input): Promise<boolean> {
    if (isRunning.current) return false
    isRunning.current = true
    setSaving(true)
    try {
      const result = await change(...input)
      if (done !== undefined) notify.success(typeof done === 'string' ? done : done(result), id)
      if (isShown.current) after?.(result)
      return isShown.current
    } catch (error) {
      const isLate = error instanceof ApiError && error.code === 'LATE'
      const message = isLate ? t('common.noAnswer') : errorMessage(error, failed)
      if (message === null) return false
      if (onRefused === undefined || !isShown.current) notify.error(message, id)
      else onRefused(message, error)
      return false
    } finally {
      isRunning.current = false
      setSaving(false)
    }
  }
  return { save, isSaving }
}
