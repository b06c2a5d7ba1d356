import { useEffect, useState } from 'react'
import type { Area } from '#web/i18n/message-id.ts'
import { useServices } from '#web/lib/services.ts'

/** Loads texts of a part that no screen has named beforehand; whether they are there. */
export function useTexts(area: Area): boolean {
  const { language } = useServices()
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    let isLeft = false
    void language.need([area]).then(() => isLeft || setThere(true))
    return () => {
      isLeft = true
    }
  }, [language, area])
  return isThere
}
