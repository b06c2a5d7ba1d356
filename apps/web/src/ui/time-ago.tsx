import { createContext, useContext, useState } from 'react'
import { useIntl } from 'react-intl'
import { exactTime, relativeTime, printedTime } from '#web/lib/i18n/time-words.ts'
import { printMedia, useMedia } from '#web/lib/use-media.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { Tooltip } from './overlays/tooltip.tsx'

/** Makes times plain text instead of buttons, for rows and cards that are buttons themselves. The title has the exact time. */
export const PlainTimes = createContext(false)

export interface TimeAgoProps {
  at: number | string
  /** The time may be in the future. Otherwise it has passed, and is never shown as in the future. */
  isAhead?: boolean
}

/** "12 minutes ago"; hover or focus shows the exact time, and a tap or a long press replaces the text with it. */
export function TimeAgo({ at, isAhead = false }: TimeAgoProps) {
  const intl = useIntl()
  const serverNow = useServerNow(30_000)
  const [isExact, setExact] = useState(false)
  const atMs = typeof at === 'number' ? at : Date.parse(at)
  const now = isAhead ? serverNow : Math.max(serverNow, atMs)
  const exact = exactTime(intl, atMs)
  const isOnPaper = useMedia(printMedia)
  const said = isOnPaper ? printedTime(intl, atMs) : isExact ? exact : relativeTime(intl, atMs, now)
  if (useContext(PlainTimes)) {
    return (
      <time dateTime={new Date(atMs).toISOString()} title={exact}>
        {said}
      </time>
    )
  }
  return (
    <Tooltip text={exact}>
      <button
        type="button"
        onClick={() => setExact(!isExact)}
        className="relative cursor-help rounded-sm text-left decoration-dotted underline-offset-4 after:absolute after:inset-x-0 after:top-1/2 after:h-11 after:-translate-y-1/2 hover:underline"
      >
        <time dateTime={new Date(atMs).toISOString()}>{said}</time>
      </button>
    </Tooltip>
  )
}
