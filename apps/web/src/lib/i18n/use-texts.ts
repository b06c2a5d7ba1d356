import { useEffect, useState } from 'react'
import type { Area } from '#web/i18n/message-id.ts'
import { useServices } from '#web/lib/services.ts'

/** After which texts that did not come are asked for again. */
const againMs = 5000

/** Loads texts of a part that no screen has named beforehand; whether they are there. */
export function useTexts(area: Area): boolean {
  const { language, clock } = useServices()
  const [isThere, setThere] = useState(false)
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
