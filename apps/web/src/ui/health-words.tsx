import type { DeviceHealth } from '@batti/contracts'
import { TriangleAlert } from 'lucide-react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { cutText } from './data-table/cut-text.ts'

/** A board's health: its score, and a warning sign with the reasons. */
export function HealthWords({ health, hasScore = true }: { health: DeviceHealth; hasScore?: boolean }) {
  const intl = useIntl()
  const t = useText()
  const { score, reasons } = health
  // Worst first: "silent, weak".
  const words = reasons.map((reason) => t(`health.${reason}`)).join(', ')
  const isNever = reasons.includes('never-seen')
  return (
    <span className="inline-flex max-w-full items-center gap-2" title={words}>
      {hasScore && <span className="tabular-nums">{intl.formatNumber(score)}</span>}
      {reasons.length > 0 && (
        <span className={cn('inline-flex min-w-0 items-center gap-1', isNever ? 'text-ink-3' : 'text-warn')}>
          {!isNever && <TriangleAlert aria-hidden="true" size={14} />}
          {/* Several reasons share a row of the table on two small lines. */}
          <span className={cn(cutText, reasons.length > 1 && 'line-clamp-2 text-12 whitespace-normal')}>{words}</span>
        </span>
      )}
    </span>
  )
}
