import { dayMs } from '@batti/kit/durations'
import { useState } from 'react'
import type { ActionLogRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { foldRuns, type LogRun } from '#web/features/action-logs/fold-runs.ts'
import { groupByDay } from '#web/features/action-logs/group-by-day.ts'
import { LogRow } from './log-row.tsx'

export interface LogTimelineProps {
  rows: readonly ActionLogRecord[]
  /** The id of the row that a person asked for. */
  whyId?: string | undefined
  onDelete?: ((row: ActionLogRecord) => void) | undefined
}

/** The log, grouped by day. */
export function LogTimeline({ rows, whyId, onDelete }: LogTimelineProps) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  const today = new Date(now).setHours(0, 0, 0, 0)
  // Rounded, because days with a DST change have 23 or 25 hours.
  const daysAgo = (day: number) => Math.round((today - day) / dayMs)
  const titleOf = (day: number) => {
    const ago = daysAgo(day)
    if (ago === 0) return t('logs.today')
    if (ago === 1) return t('logs.yesterday')
    const isThisYear = new Date(day).getFullYear() === new Date(now).getFullYear()
    return intl.formatDate(day, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...(!isThisYear && { year: 'numeric' })
    })
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      {groupByDay(rows).map(({ day, rows: own }) => (
        <section key={day} aria-label={titleOf(day)}>
          <h2 className="mb-1 text-14 font-medium text-ink-3">{titleOf(day)}</h2>
          <ol>
            {foldRuns(own, whyId).map((run) => (
              <LogRunRows key={run.row._id} run={run} whyId={whyId} onDelete={onDelete} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

/** A run of speeds, shown as the last one with a button for the others. */
function LogRunRows({ run, whyId, onDelete }: { run: LogRun } & Omit<LogTimelineProps, 'rows'>) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? [run.row, ...run.earlier] : [run.row]
  return (
    <>
      {shown.map((row) => (
        <LogRow key={row._id} row={row} isWhy={row._id === whyId} onDelete={onDelete && (() => onDelete(row))} />
      ))}
      {run.earlier.length > 0 && (
        <li className="pl-12">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="-mt-2 inline-flex min-h-11 items-center rounded-control text-14 font-medium text-accent hover:underline"
          >
            {isOpen ? t('logs.fold') : t('logs.unfold', { count: run.earlier.length })}
          </button>
        </li>
      )}
    </>
  )
}
