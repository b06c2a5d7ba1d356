import { ChevronRight, Lightbulb } from 'lucide-react'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { cardClass } from '#web/ui/card.tsx'
import { cn } from '#web/lib/cn.ts'
import type { OutletCounts } from '#web/lib/live/outlet-view.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** 'N switches are ON / M total switches'. `lit` is null while it is unknown. */
export function OnBanner({
  lit,
  total,
  to = '/user/switches'
}: {
  lit: OutletCounts | null
  total: number
  to?: string
}) {
  const t = useText()
  const intl = useIntl()
  const isLit = lit !== null && lit.on > 0
  return (
    <Link to={to} className={cn(cardClass(isLit, lit === null), 'flex flex-wrap items-center gap-4 px-4 py-3 sm:p-5')}>
      <span
        aria-hidden="true"
        className={cn(
          'grid size-12 shrink-0 place-items-center rounded-full transition-[background-color,box-shadow] duration-160 sm:size-14',
          isLit ? 'bg-on text-on-ink shadow-[0_0_32px_-6px_var(--on)]' : 'bg-well text-ink-2'
        )}
      >
        <Lightbulb size={26} strokeWidth={1.8} />
      </span>
      {/* With large letters it wraps below the lamp: its longest word is never broken. */}
      <span className="min-w-min flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-28 leading-none font-semibold">{lit === null ? '–' : intl.formatNumber(lit.on)}</span>{' '}
          <span className="text-16 font-semibold">{t('home.areOn', { count: lit?.on ?? 0 })}</span>
        </span>{' '}
        <span data-of-total className="text-14 text-ink-2">
          {t('home.ofTotal', { count: total })}
          {lit !== null && lit.unknown > 0 && ` · ${t('home.unknown', { count: lit.unknown })}`}
        </span>
      </span>
      <ChevronRight aria-hidden="true" size={20} className="ml-auto text-ink-3" />
    </Link>
  )
}
