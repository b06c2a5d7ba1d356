import type { ActionLogRecord } from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'
import { Ellipsis, Trash2 } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { cn } from '#web/lib/cn.ts'
import { timeOfDay } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { causeOfLog } from '#web/features/action-logs/log-cause.ts'
import { useLogTexts } from '#web/features/action-logs/use-log-texts.ts'
import { CauseIcon } from './cause-icon.tsx'
import { LogWho } from './log-who.tsx'

export interface LogRowProps {
  row: ActionLogRecord
  /** The row that a person asked for: it is scrolled into view and labelled. */
  isWhy: boolean
  onDelete: (() => void) | undefined
}

/** One change: what, who, when, and from where. */
export function LogRow({ row, isWhy, onDelete }: LogRowProps) {
  const t = useText()
  const intl = useIntl()
  const texts = useLogTexts()
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isWhy) return
    item.current?.scrollIntoView({ block: 'center' })
    item.current?.focus({ preventScroll: true })
  }, [isWhy])
  const sentence = texts.sentenceOf(row)
  const isRecent = useServerNow(10 * minuteMs) - Date.parse(row.createdAt) < dayMs
  return (
    <li
      ref={item}
      tabIndex={-1}
      {...(isWhy && { 'aria-current': true })}
      className={cn(
        'group relative flex items-start gap-3 py-2',
        isWhy ? '-mx-3 rounded-2xl border border-accent bg-accent-soft px-3 outline-none' : '-mr-2'
      )}
    >
      <span
        aria-hidden="true"
        className={cn('absolute top-12 -bottom-1 left-4.5 w-px bg-line group-last:hidden', isWhy && 'hidden')}
      />
      <CauseIcon cause={causeOfLog(row)} />
      <div className="min-w-0 flex-1">
        {isWhy && (
          <p className="text-12 font-medium text-accent">{t('logs.because', { state: row.state ? 'on' : 'off' })}</p>
        )}
        <p className="font-medium">{sentence}</p>
        {/* Each fact starts with a separator dot; that of the first fact on a line is cut off with its margin. The ring of a focused
            one is not. */}
        <p className="-m-0.5 overflow-hidden p-0.5 text-14 text-ink-2 [&_:is(a,button)]:outline-offset-0">
          <span className="-ml-3.5 flex flex-wrap items-baseline gap-y-1 max-sm:-ml-2.5">
            <Fact>
              <LogWho row={row} />
            </Fact>
            <Fact>{texts.sourceOf(row)}</Fact>
            {/* On a phone, rows of the last day show only how long ago they happened; on paper that has the time itself. */}
            <Fact className={cn('print:hidden', isRecent && 'max-sm:hidden')}>{timeOfDay(intl, row.createdAt)}</Fact>
            <Fact>
              <TimeAgo at={row.createdAt} />
            </Fact>
          </span>
        </p>
      </div>
      {onDelete && (
        <Menu
          trigger={
            <IconButton
              label={t('logs.options', { log: sentence })}
              icon={<Ellipsis size={18} />}
              className="text-ink-3"
            />
          }
        >
          <MenuItem tone="danger" icon={<Trash2 size={18} />} onSelect={onDelete}>
            {t('common.delete')}
          </MenuItem>
        </Menu>
      )}
    </li>
  )
}

function Fact({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span
      className={cn(
        "relative pl-3.5 before:absolute before:left-0 before:w-3.5 before:text-center before:content-['·'/''] max-sm:pl-2.5 max-sm:before:w-2.5",
        className
      )}
    >
      {children}
    </span>
  )
}
