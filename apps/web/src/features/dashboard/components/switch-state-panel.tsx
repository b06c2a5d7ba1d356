import { useIntl } from 'react-intl'
import { RingChart } from '#web/ui/charts/ring-chart.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { LiveTotals } from '#web/features/dashboard/live-totals.ts'

/** The numbers of switches that are ON, OFF and unknown, as a ring with a legend. */
export function SwitchStatePanel({ state }: { state: LiveTotals['switchState'] }) {
  const t = useText()
  const intl = useIntl()
  const count = (value: number | undefined) => (value === undefined ? '–' : intl.formatNumber(value))
  return (
    <div className="flex flex-wrap items-center gap-6 lg:flex-col lg:gap-4">
      <RingChart
        className="w-36 max-w-full shrink-0 lg:w-44"
        values={[
          { value: state?.on ?? 0, stroke: 'stroke-on', edge: 'stroke-on-edge' },
          { value: state?.off ?? 0, stroke: 'stroke-edge' },
          { value: state?.unknown ?? 0, stroke: 'stroke-well' }
        ]}
      >
        <span className="text-28 leading-none font-semibold">{count(state?.on)}</span>
        <span className="mt-1 text-12 text-ink-2">{t('dashboard.on')}</span>
      </RingChart>
      <dl className="grid flex-1 basis-24 gap-3 lg:w-full lg:flex-none">
        <Share swatch="bg-on ring-on-edge" term={t('dashboard.on')} value={count(state?.on)} />
        <Share swatch="bg-edge ring-edge" term={t('dashboard.off')} value={count(state?.off)} />
        {state !== null && state.unknown > 0 && (
          <Share
            swatch="border border-dashed border-ink-3 ring-0"
            term={t('dashboard.unknown')}
            value={count(state.unknown)}
          />
        )}
      </dl>
    </div>
  )
}

function Share({ swatch, term, value }: { swatch: string; term: string; value: string }) {
  return (
    <div className="flex items-center gap-2.5">
      <span aria-hidden="true" className={`size-3 rounded-full ring-1 ${swatch}`} />
      <dt className="flex-1 text-ink-2">{term}</dt>
      <dd className="text-20 font-semibold">{value}</dd>
    </div>
  )
}
