import { createContext, useContext, useState } from 'react'
import { useIntl } from 'react-intl'
import { exactTime, relativeTime, writtenTime } from '#web/lib/i18n/time-words.ts'
import { onPaper, useMedia } from '#web/lib/use-media.ts'
import { useServerNow } from '#web/lib/use-now.ts'
import { Tooltip } from './tooltip.tsx'

/** Where a row or a card is what is pressed: its times are words, not buttons of their own. The exact one is in its title. */
export const PlainTimes = createContext(false)

export interface TimeAgoProps {
  at: number | string
  /** Something that will be. All else has happened, and is never told as in the future. */
  isAhead?: boolean
}

/** "12 minutes ago"; the exact moment on hover and focus, and in its place after a tap or a long press. */
export function TimeAgo({ at, isAhead = false }: TimeAgoProps) {
  const intl = useIntl()
  const serverNow = useServerNow(30_000)
  const [isExact, setExact] = useState(false)
  const atMs = typeof at === 'number' ? at : Date.parse(at)
  const now = isAhead ? serverNow : Math.max(serverNow, atMs)
  const exact = exactTime(intl, atMs)
  const isOnPaper = useMedia(onPaper)
  const said = isOnPaper ? writtenTime(intl, atMs) : isExact ? exact : relativeTime(intl, atMs, now)
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
