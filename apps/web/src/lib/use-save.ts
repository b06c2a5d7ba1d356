import { useState } from 'react'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { notify } from '#web/lib/notify.ts'

export interface SaveWords<Result> {
  /** Said when it is done; nothing where the page shows it. */
  done?: string | ((result: Result) => string)
  /** Said when the server has no sentence of its own. */
  failed: string
  /** The toast that it replaces. */
  id?: string
}

/**
 * A change that tells how it went: runs it, says "done" or what the server refused, and answers whether it went well.
 * A second press while it runs is not taken.
 */
export function useSave<Input extends readonly unknown[], Result>(
  change: (...input: Input) => Promise<Result>,
  { done, failed, id }: SaveWords<Result>
) {
  const [isSaving, setSaving] = useState(false)
  async function save(...input: Input): Promise<boolean> {
    if (isSaving) return false
    setSaving(true)
    try {
      const result = await change(...input)
      if (done !== undefined) notify.success(typeof done === 'string' ? done : done(result), id)
      return true
    } catch (error) {
      const message = errorMessage(error, failed)
      if (message !== null) notify.error(message, id)
      return false
    } finally {
      setSaving(false)
    }
  }
  return { save, isSaving }
}
