import { useEffect, useState } from 'react'
import { useServices } from './services.ts'

/** The time, renewed every `everyMs` while the component is shown. */
export function useNow(everyMs: number): number {
  const { clock } = useServices()
  return useTicking(clock.now, everyMs)
}

/** The same by the server's clock: beside moments that the server tells. */
export function useServerNow(everyMs: number): number {
  const { serverTime } = useServices()
  return useTicking(serverTime.now, everyMs)
}

function useTicking(read: () => number, everyMs: number): number {
  const { clock } = useServices()
  const [now, setNow] = useState(read)
  useEffect(() => {
    let cancel = () => {}
    const tick = () => {
      setNow(read())
      cancel = clock.after(everyMs, tick)
    }
    cancel = clock.after(everyMs, tick)
    return () => cancel()
  }, [clock, read, everyMs])
  return now
}
