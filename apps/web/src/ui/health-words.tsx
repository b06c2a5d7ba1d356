import type { DeviceHealth, HealthReason } from '@batti/contracts'
import { TriangleAlert } from 'lucide-react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The reasons in words, worst first: "silent, weak". */
function useHealthReasons() {
  const t = useText()
  return (reasons: readonly HealthReason[]) => reasons.map((reason) => t(`health.${reason}`)).join(', ')
}

/** How a board is: its score, and what is wrong with it behind a triangle. */
export function HealthWords({ health, hasScore = true }: { health: DeviceHealth; hasScore?: boolean }) {
  const intl = useIntl()
  const wordsOf = useHealthReasons()
  const { score, reasons } = health
  const isNever = reasons.includes('never-seen')
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap" title={wordsOf(reasons)}>
      {hasScore && <span className="tabular-nums">{intl.formatNumber(score)}</span>}
      {reasons.length > 0 && (
        <span className={cn('inline-flex items-center gap-1', isNever ? 'text-ink-3' : 'text-warn')}>
          {!isNever && <TriangleAlert aria-hidden="true" size={14} />}
          {wordsOf(reasons)}
        </span>
      )}
    </span>
  )
}
