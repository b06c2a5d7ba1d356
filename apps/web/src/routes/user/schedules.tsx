import type { SwitchRecord } from '@batti/contracts'
import { CalendarClock, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Skeletons } from '#web/ui/skeleton.tsx'
import { useSchedules } from '#web/lib/records/use-schedules.ts'
import { useZoneOf } from '#web/features/devices/api/list-devices.ts'
import { ScheduleDialog } from '#web/features/schedules/components/schedule-dialog.tsx'
import { ScheduleList } from '#web/features/schedules/components/schedule-list.tsx'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { switchTitle } from '#web/features/switches/switch-name.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { EditSchedule } from '#web/routes/parts/edit-schedule.tsx'
import { useFollowBoards } from '#web/routes/parts/use-follow-boards.ts'
import { useGoneRecord } from '#web/routes/parts/use-gone-record.ts'

/** /user/schedules. */
export function Screen() {
  const t = useText()
  useFollowBoards()
  const schedules = useSchedules()
  const [isAdding, setAdding] = useState(false)
  // Kept in the address, so that the log can link to it.
  const [params, setParams] = useSearchParams()
  const id = params.get('schedule')
  const edited = schedules.data?.find(({ _id }) => _id === id)
  useGoneRecord(schedules, { id, records: schedules.data ?? [], words: t('scheduleList.gone') })
  const add = (
    <Button onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" size={20} />
      {t('schedules.add')}
    </Button>
  )
  return (
    // An empty list has the button below its text.
    <Page title={t('schedules.title')} actions={schedules.data?.length === 0 ? undefined : add}>
      <QueryView
        query={schedules}
        failed={t('schedules.failed')}
        loading={
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
            <Skeletons count={3} className="h-72 rounded-card" />
          </div>
        }
        isEmpty={(list) => list.length === 0}
        empty={<NoSchedules add={add} />}
      >
        {(list) => (
          <ScheduleList schedules={list} onEdit={({ _id }) => setParams({ schedule: _id }, { replace: true })} />
        )}
      </QueryView>
      {isAdding && <AddToSomeSwitch onClose={() => setAdding(false)} />}
      {edited !== undefined && (
        <EditSchedule key={edited._id} schedule={edited} onClose={() => setParams({}, { replace: true })} />
      )}
    </Page>
  )
}

/** Without any switch it links to the setup of the first board. */
function NoSchedules({ add }: { add: ReactNode }) {
  const t = useText()
  const hasNoSwitch = useSwitches().data?.length === 0
  return (
    <EmptyState
      drawing={<CalendarClock size={40} strokeWidth={1.4} />}
      title={t('schedules.none')}
      body={t(hasNoSwitch ? 'switches.noneHint' : 'schedules.noneHint')}
      action={
        hasNoSwitch ? (
          <LinkButton to="/user/devices/new" reloadDocument>
            {t('devices.add')}
          </LinkButton>
        ) : (
          add
        )
      }
    />
  )
}

/** Adds a schedule for a switch chosen in the dialog. */
function AddToSomeSwitch({ onClose }: { onClose: () => void }) {
  const t = useText()
  const { data: switches = [], isPending, isLoadingError } = useSwitches()
  const [record, setRecord] = useState<SwitchRecord | null>(null)
  const [isMissing, setMissing] = useState(false)
  const zone = useZoneOf(record?.deviceId)
  const target =
    record === null ? null : { deviceId: record.deviceId, switchId: record._id, switchIndex: record.switchIndex }
  return (
    <ScheduleDialog
      schedule={null}
      target={target}
      zone={zone}
      onSwitchMissing={() => setMissing(true)}
      onClose={onClose}
      targetField={
        <Select
          isWrong={isMissing && record === null}
          label={t('schedules.switch')}
          value={record?._id ?? ''}
          placeholder={t(isPending ? 'common.loading' : 'schedules.chooseSwitch')}
          error={isLoadingError ? t('switches.failed') : undefined}
          choices={switches.map((each) => ({
            value: each._id,
            label: dotted(switchTitle(t, each), each.deviceName)
          }))}
          onChange={(id) => setRecord(switches.find((each) => each._id === id) ?? null)}
        />
      }
    />
  )
}
