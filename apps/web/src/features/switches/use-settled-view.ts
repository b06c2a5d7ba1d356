import { useEffect, useState } from 'react'
import { useDeviceCommands, useServices } from '#web/lib/services.ts'
import type { OutletView } from '#web/lib/live/outlet-view.ts'

/** How long the end of a command is shown. */
const newsMs = 6000

/**
 * Returns the view of an outlet, with its command's end shown only for a while: a card opened a minute later neither
 * plays the animation again nor still reports that the board did not answer.
 */
export function useSettledView(mac: string, view: OutletView): OutletView {
  const { clock } = useServices()
  const command = useDeviceCommands(mac)[view.index]
  const endedAtMs = command === undefined || command.phase === 'pending' ? null : command.atMs
  const [settledAtMs, setSettledAtMs] = useState<number | null>(() =>
    endedAtMs !== null && clock.monotonic() - endedAtMs >= newsMs ? endedAtMs : null
  )
  useEffect(() => {
    if (endedAtMs === null) return
    return clock.after(newsMs - (clock.monotonic() - endedAtMs), () => setSettledAtMs(endedAtMs))
  }, [clock, endedAtMs])
  const isEnd = view.phase === 'confirmed' || view.phase === 'no-answer' || view.phase === 'refused'
  return isEnd && endedAtMs !== null && endedAtMs === settledAtMs ? { ...view, phase: 'idle' } : view
}
