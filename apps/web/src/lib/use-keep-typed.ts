import { useEffect } from 'react'
import { useServices } from './services.ts'

/** Keeps the page with its unsaved input, below a login, if the session ends by itself. */
export function useKeepTyped(isTyped: boolean): void {
  const { session } = useServices()
  useEffect(() => (isTyped ? session.keepTyped() : undefined), [session, isTyped])
}
