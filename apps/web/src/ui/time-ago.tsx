import { useState } from 'react'
import { useIntl } from 'react-intl'
import { exactTime, relativeTime } from '#web/lib/i18n/time-words.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Tooltip } from './tooltip.tsx'

/** "12 minutes ago"; the exact moment on hover and focus, and in its place after a tap or a long press. */
export function TimeAgo({ at }: { at: number | string }) {
  const intl = useIntl()
  const now = useNow(30_000)
  const [isExact, setExact] = useState(false)
  const atMs = typeof at === 'number' ? at : Date.parse(at)
  const exact = exactTime(intl, atMs)
  return (
    <Tooltip text={exact}>
      <button
        type="button"
        onClick={() => setExact(!isExact)}
        className="relative cursor-help rounded-sm text-left decoration-dotted underline-offset-4 after:absolute after:inset-x-0 after:top-1/2 after:h-11 after:-translate-y-1/2 hover:underline"
      >
        <time dateTime={new Date(atMs).toISOString()}>{isExact ? exact : relativeTime(intl, atMs, now)}</time>
      </button>
    </Tooltip>
  )
}
