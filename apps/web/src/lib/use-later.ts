import { useEffect, useState } from 'react'
import { useServices } from './services.ts'

/** Returns the value after it has been unchanged for `afterMs`. */
export function useLater<T>(value: T, afterMs: number): T {
  const { clock } = useServices()
  const [later, setLater] = useState(value)
  useEffect(() => clock.after(afterMs, () => setLater(value)), [clock, value, afterMs])
  return later
}
