import { ChartNoAxesColumn, Table2 } from 'lucide-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeletons } from '#web/ui/skeleton.tsx'
import { cn } from '#web/lib/cn.ts'
import { durationText } from '#web/lib/i18n/duration-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useOnTimes, type OnTime } from '#web/features/on-times/api/list-on-times.ts'
import { byTimeOn, longestDay, weekSeconds } from '#web/features/on-times/week.ts'
import { OnTimeTable } from './on-time-table.tsx'
import { SwitchName } from './switch-name.tsx'
import { WeekBars } from './week-bars.tsx'

const firstShown = 6

export interface OnTimeWeekProps {
  /** Only this switch; by default every switch of the person. */
  switchId?: string
  /** Returns the link of a switch's name; without it the name is plain text. */
  linkTo?: (switchId: string) => string
}

/** How long each switch was on in the last 7 days: bars with their values, or a table of them. */
export function OnTimeWeek(props: OnTimeWeekProps) {
  const t = useText()
  return (
    <QueryView
      query={useOnTimes(props.switchId)}
      failed={t('onTime.failed')}
      loading={
        <div className="grid gap-8 sm:grid-cols-2 lg:grid-cols-3">
          <Skeletons count={props.switchId === undefined ? 3 : 1} className="h-28" />
        </div>
      }
    >
      {(data) => <Week {...props} switches={byTimeOn(data.switches)} />}
    </QueryView>
  )
}

function Week({ switchId, linkTo, switches }: OnTimeWeekProps & { switches: readonly OnTime[] }) {
  const t = useText()
  const intl = useIntl()
  const [isTable, setTable] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const used = switchId === undefined ? switches.filter((each) => weekSeconds(each) > 0) : switches
  if (used.length === 0) return <p className="py-6 text-14 text-ink-2">{t('onTime.none')}</p>
  const shown = isWhole ? used : used.slice(0, firstShown)
  const maxSeconds = longestDay(used)
  return (
    <div className="grid gap-4">
      {isTable ? (
        <OnTimeTable switches={switchId === undefined ? switches : used} caption={t('onTime.caption')} />
      ) : (
        <ul
          className={
            switchId === undefined
              ? cn(
                  'grid grid-cols-1 gap-x-8 gap-y-6 sm:grid-cols-2',
                  shown.length === 4 ? 'lg:grid-cols-4' : 'lg:grid-cols-3'
                )
              : 'max-w-lg'
          }
        >
          {shown.map((each) => (
            <li key={each.switchId}>
              <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="-m-1 min-w-[min(100%,6rem)] flex-1 truncate p-1 font-medium">
                  {switchId === undefined ? <SwitchName onTime={each} linkTo={linkTo} /> : t('onTime.total')}
                </span>
                <span className="shrink-0 text-14 text-ink-2">{durationText(intl, weekSeconds(each))}</span>
              </div>
              <WeekBars days={each.days} maxSeconds={maxSeconds} />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" onClick={() => setTable(!isTable)}>
          {isTable ? <ChartNoAxesColumn aria-hidden="true" size={18} /> : <Table2 aria-hidden="true" size={18} />}
          {t(isTable ? 'onTime.showChart' : 'onTime.showTable')}
        </Button>
        {!isTable && used.length > firstShown && (
          <Button variant="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('onTime.fewer') : t('onTime.more', { count: used.length - firstShown })}
          </Button>
        )}
      </div>
    </div>
  )
}
