import { useEffect } from 'react'
import { useServices } from './services.ts'

/** While something is typed and not saved, a session that ends by itself leaves the page as it is, below a log-in. */
export function useKeepTyped(isTyped: boolean): void {
  const { session } = useServices()
  useEffect(() => (isTyped ? session.keepTyped() : undefined), [session, isTyped])
}
