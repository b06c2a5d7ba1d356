import { useEffect, useState } from 'react'
import { useServices } from './services.ts'

/** The time, renewed every `everyMs` while the component is shown. */
export function useNow(everyMs: number): number {
  const { clock } = useServices()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    let cancel = () => {}
    const tick = () => {
      setNow(clock.now())
      cancel = clock.after(everyMs, tick)
    }
    cancel = clock.after(everyMs, tick)
    return () => cancel()
  }, [clock, everyMs])
  return now
}
