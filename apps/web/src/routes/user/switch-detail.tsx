import type { SwitchRecord } from '@batti/contracts'
import { useParams } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { frameClass, panelClass, Section } from '#web/ui/page.tsx'
import { MissingRecord } from '#web/ui/missing-record.tsx'
import { isOfNone, QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LogList } from '#web/features/action-logs/components/log-list.tsx'
import { WhyLine } from '#web/features/action-logs/components/why-line.tsx'
import { OnTimeDay } from '#web/features/on-times/components/on-time-day.tsx'
import { OnTimeWeek } from '#web/features/on-times/components/on-time-week.tsx'
import { useSwitch } from '#web/features/switches/api/get-switch.ts'
import { SwitchHero } from '#web/features/switches/components/switch-hero.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'
import { useFollowBoards } from '#web/routes/parts/use-follow-boards.ts'

/** /user/switches/{id}: one switch: the cause of its state, its on-times, and its log. */
export function Screen() {
  const t = useText()
  const { id = '' } = useParams()
  const record = useSwitch(id)
  useFollowBoards()
  return (
    <div className={cn(frameClass, 'grid grid-cols-1 gap-5')}>
      <TextLink to="/user/switches" className="-my-2 inline-flex min-h-11 w-fit items-center">
        {t('detail.toSwitches')}
      </TextLink>
      {(record.data === undefined || isOfNone(record.error)) && <h1 className="sr-only">{t('switch.type.switch')}</h1>}
      <QueryView
        query={record}
        failed={t('switch.infoFailed')}
        missing={
          <MissingRecord
            title={t('detail.notFound')}
            body={t('detail.notFoundHint')}
            list={{ label: t('detail.toSwitches'), path: '/user/switches' }}
          />
        }
        loading={
          <>
            <Skeleton className="h-44 rounded-card" />
            <Skeleton className="h-72 rounded-card" />
          </>
        }
      >
        {(known) => <SwitchDetail record={known} />}
      </QueryView>
    </div>
  )
}

function SwitchDetail({ record }: { record: SwitchRecord }) {
  const t = useText()
  const addSchedule = useAddSchedule()
  const { _id: id } = record
  return (
    <>
      <SwitchHero record={record} onAddSchedule={addSchedule.open}>
        <WhyLine switchId={id} />
      </SwitchHero>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_26rem] lg:items-start">
        <Section title={t('detail.history')} className={`${panelClass} max-lg:order-2`}>
          <LogList filters={{ switchId: id, from: null, day: null }} />
        </Section>
        <Section title={t('detail.onTime')} className={panelClass}>
          <OnTimeDay switchId={id} />
          <h3 className="mt-6 mb-2 text-14 font-medium text-ink-3">{t('detail.week')}</h3>
          <OnTimeWeek switchId={id} />
        </Section>
      </div>
      {addSchedule.dialog}
    </>
  )
}
