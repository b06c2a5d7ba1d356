import { useEffect } from 'react'
import { useServices } from './services.ts'

/** Keeps the page with its unsaved input, below a login, if the session ends by itself. */
export function useKeepTyped(isTyped: boolean): void {
  const { session } = useServices()
  useEffect(() => (isTyped ? session.keepTyped() : undefined), [session, isTyped])
}

/** While there is unsaved text: the browser asks before the document is left, and the page is kept as above. */
export function useUnsaved(isUnsaved: boolean): void {
  useKeepTyped(isUnsaved)
  useEffect(() => {
    if (!isUnsaved) return
    // The browser shows its own question.
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
}
