import type { DeviceEventRecord, DeviceHistory } from '@batti/contracts'
import { Check, X } from 'lucide-react'
import { useIntl } from 'react-intl'
import type { ReactNode } from 'react'
import { Name } from '#web/ui/name.tsx'
import { Section } from '#web/ui/page.tsx'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useEventDetail } from '#web/features/board/use-event-detail.ts'
import { useServices } from '#web/lib/services.ts'

const rowClass = 'flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line py-1.5 text-14 first:border-t-0'
/** The number of rows at first; a button shows the others. */
const shownFirst = 12
const commandsMax = 50

/** The latest commands, who sent them, and how they ended. */
export function CommandList({ commands }: { commands: DeviceHistory['commands'] }) {
  const t = useText()
  const intl = useIntl()
  const { serverTime } = useServices()
  return (
    <Section title={t('board.commands')}>
      <FirstRows
        empty={t('board.noCommands')}
        rows={commands.slice(0, commandsMax).map(({ at, result, ms, by }, index) => {
          const isGood = result === 'confirmed'
          const Icon = isGood ? Check : X
          return (
            <li key={`${at} ${index}`} className={rowClass}>
              <time dateTime={at} className="w-24 shrink-0 text-ink-2">
                {clockTime(intl, Date.parse(at), serverTime.now())}
              </time>
              <span className="min-w-0 flex-1 basis-10">
                <Name>{by ?? t('board.unknownPerson')}</Name>
              </span>
              {/* In a narrow column both go to the next line, together. */}
              <span className="ml-auto flex items-center gap-3">
                <span className={cn('inline-flex items-center gap-1.5', isGood ? 'text-ink-2' : 'text-danger')}>
                  <Icon aria-hidden="true" size={14} />
                  {t(`board.result.${result}`)}
                </span>
                <span className="w-14 text-right text-ink-3 tabular-nums">
                  {ms === null ? '' : t('board.ms', { ms })}
                </span>
              </span>
            </li>
          )
        })}
      />
    </Section>
  )
}

/** The board's events, newest first. */
export function EventList({ events }: { events: readonly DeviceEventRecord[] }) {
  const t = useText()
  const detailOf = useEventDetail()
  const intl = useIntl()
  const { serverTime } = useServices()
  return (
    <Section title={t('board.events')}>
      <FirstRows
        empty={t('board.noEvents')}
        rows={events.map(({ at, kind, detail }, index) => (
          <li key={`${at} ${kind} ${index}`} className={rowClass}>
            <time dateTime={at} className="w-24 shrink-0 text-ink-2">
              {clockTime(intl, Date.parse(at), serverTime.now())}
            </time>
            <span className="min-w-0 flex-1">
              {t(`board.event.${kind}`)}
              {detail !== null && (
                <span className="block text-12 text-ink-3 wrap-anywhere">{detailOf({ kind, detail })}</span>
              )}
            </span>
          </li>
        ))}
      />
    </Section>
  )
}

function FirstRows({ rows, empty }: { rows: readonly ReactNode[]; empty: string }) {
  const t = useText()
  if (rows.length === 0) return <p className="text-14 text-ink-3">{empty}</p>
  const others = rows.slice(shownFirst)
  return (
    <>
      <ul>{rows.slice(0, shownFirst)}</ul>
      {others.length > 0 && (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-14 font-medium text-accent">
            {t('board.more', { count: others.length })}
          </summary>
          <ul>{others}</ul>
        </details>
      )}
    </>
  )
}
