import { useEffect, useState } from 'react'
import type { Area } from '#web/i18n/message-id.ts'
import { useServices } from '#web/lib/services.ts'

/** The interval between retries after a failed load. */
const againMs = 5000

/** Loads the texts of a part that its screen does not list, and returns whether they are loaded. */
export function useTexts(area: Area): boolean {
  const { language, clock } = useServices()
  const [isThere, setThere] = useState(() => language.has([area]))
  useEffect(() => {
    let isLeft = false
    let cancel = () => {}
    const load = () =>
      void language.need([area]).then(
        () => isLeft || setThere(true),
        () => isLeft || (cancel = clock.after(againMs, load))
      )
    load()
    return () => {
      isLeft = true
      cancel()
    }
  }, [language, clock, area])
  return isThere
}
