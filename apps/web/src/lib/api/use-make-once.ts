import { useRef } from 'react'
import { useServices } from '#web/lib/services.ts'
import { isUnanswered } from './after-write.ts'
import { isLost } from './api-error.ts'

/**
 * Returns a call that creates a record only once. If no answer came it looks for the record at once, after any unknown
 * outcome before the next try, and returns it if it exists. `sinceMs`: when the first try began, by the server's clock.
 */
export function useMakeOnce<Input, Made>(
  make: (input: Input) => Promise<Made>,
  find: (input: Input, sinceMs: number) => Promise<Made | undefined>
) {
  const { serverTime } = useServices()
  const unanswered = useRef<{ wanted: string; sinceMs: number } | null>(null)
  return async (input: Input): Promise<Made> => {
    const wanted = JSON.stringify(input)
    const before = unanswered.current?.wanted === wanted ? unanswered.current : null
    const sinceMs = before?.sinceMs ?? serverTime.now()
    const madeBefore = before === null ? undefined : await find(input, sinceMs)
    unanswered.current = null
    if (madeBefore !== undefined) return madeBefore
    try {
      return await make(input)
    } catch (error) {
      if (!isUnanswered(error)) throw error
      unanswered.current = { wanted, sinceMs }
      const made = isLost(error) ? await find(input, sinceMs).catch(() => undefined) : undefined
      if (made === undefined) throw error
      unanswered.current = null
      return made
    }
  }
}
