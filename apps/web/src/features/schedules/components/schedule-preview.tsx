import { CircleAlert } from 'lucide-react'
import { useIntl } from 'react-intl'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { wallDate, wallTime } from '#web/lib/i18n/wall-clock.ts'
import { useSchedulePreview, type PreviewBody } from '#web/features/schedules/api/preview-schedule.ts'

/** The next five firings in the home's local time, before anything is saved. */
export function SchedulePreview({ body }: { body: PreviewBody | null }) {
  const t = useText()
  const intl = useIntl()
  const preview = useSchedulePreview(body)
  const firings = preview.data?.firings ?? []
  return (
    <section aria-label={t('schedules.preview')} className="rounded-2xl border border-line bg-well/50 px-4 py-3">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-3 text-14 font-medium text-ink-2">
        {t('schedules.preview')}
        {body !== null && preview.data !== undefined && (
          <span className="text-12 font-normal text-ink-3">{preview.data.timezone}</span>
        )}
      </h3>
      {body === null ? (
        <p className="pt-1 text-14 text-ink-3">{t('schedules.previewNeeds')}</p>
      ) : preview.isPending ? (
        <Skeleton className="mt-2 h-34" />
      ) : preview.isError ? (
        <p className="flex items-center gap-2 pt-1 text-14 text-warn">
          <CircleAlert aria-hidden="true" size={16} />
          {errorMessage(preview.error, t('schedules.previewFailed')) ?? t('schedules.previewFailed')}
        </p>
      ) : firings.length === 0 ? (
        <p className="pt-1 text-14 text-ink-2">{t('schedules.previewNone')}</p>
      ) : (
        <ol className="mt-1.5 grid gap-1">
          {firings.map(({ at, action, local }) => (
            <li key={at} className="flex items-baseline justify-between gap-3 text-14">
              <span>{wallDate(intl, local.slice(0, 10))}</span>
              <span className="font-medium">
                {wallTime(intl, local.slice(11, 16))} · {t(`schedules.action.${action}`)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
