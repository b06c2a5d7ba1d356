import { minuteMs } from '@batti/kit/durations'
import { useEffect, useState } from 'react'
import { useServices } from '../services.ts'

/**
 * Returns the time by the server's clock, updated every minute unless told otherwise, and after a sleep: a phone's own clock
 * may be wrong by days.
 */
export function useServerNow(everyMs = minuteMs): number {
  const { clock, serverTime } = useServices()
  const [now, setNow] = useState(serverTime.now)
  useEffect(() => {
    let cancel = () => {}
    const tick = () => {
      setNow(serverTime.now())
      cancel()
      cancel = clock.after(everyMs, tick)
    }
    cancel = clock.after(everyMs, tick)
    const undo = serverTime.onJump(tick)
    return () => {
      undo()
      cancel()
    }
  }, [clock, serverTime, everyMs])
  return now
}
