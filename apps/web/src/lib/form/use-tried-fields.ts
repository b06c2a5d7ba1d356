import { useState } from 'react'
import { isUnanswered } from '#web/lib/api/after-write.ts'

const none: ReadonlySet<string> = new Set()

/**
 * Remembers which fields tries with an unknown outcome have sent. The server may have stored them, so they are sent
 * again even if they have been changed back in the form.
 */
export function useTriedFields() {
  const [tried, setTried] = useState(none)
  async function trying<Changes extends object, Result>(
    changes: Changes,
    send: (changes: Changes) => Promise<Result>
  ): Promise<Result> {
    try {
      const result = await send(changes)
      setTried(none)
      return result
    } catch (error) {
      if (isUnanswered(error)) setTried((before) => new Set([...before, ...Object.keys(changes)]))
      throw error
    }
  }
  return { tried, trying }
}
