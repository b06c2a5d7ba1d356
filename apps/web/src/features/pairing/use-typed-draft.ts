import { useEffect, useState } from 'react'
import { tabStorage } from '#web/lib/form/tab-storage.ts'
import { whenHidden } from '#web/lib/form/when-hidden.ts'
import { useUser } from '#web/lib/services.ts'
import { forgetTyped, keepDraft, keepTyped, takeDraft, type TypedDraft } from './typed-draft.ts'

function storeForm(id: string, store: typeof keepDraft, userId: string): void {
  const form = document.getElementById(id)
  if (form instanceof HTMLFormElement) store(tabStorage, new FormData(form), userId)
}

/**
 * Returns the input from before this load, and `keep`, which keeps it with the password for the load that comes. Without
 * the password it is kept whenever the page is hidden, until the page is left for another one of the app.
 */
export function useTypedDraft(formId: string): { draft: TypedDraft | null; keep: () => void } {
  const userId = useUser()?._id ?? ''
  const [draft] = useState(() => takeDraft(tabStorage, userId))
  useEffect(() => {
    const stop = whenHidden(() => storeForm(formId, keepTyped, userId))
    return () => {
      stop()
      forgetTyped(tabStorage)
    }
  }, [formId, userId])
  return { draft, keep: () => storeForm(formId, keepDraft, userId) }
}
