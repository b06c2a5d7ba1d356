import type { DeviceRecord } from '@batti/contracts'
import { CircleArrowUp, Copy, Ellipsis, Pencil, Phone, Pin, Tags, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { BoardFacts } from '#web/features/board/components/board-facts.tsx'
import { BoardLanes } from '#web/features/board/components/board-lanes.tsx'
import { CommandList, EventList } from '#web/features/board/components/board-records.tsx'
import { BoardLog } from '#web/features/board/components/board-log.tsx'
import { BoardSchedules } from '#web/features/board/components/board-schedules.tsx'
import { FailedUpdate } from '#web/features/board/components/failed-update.tsx'
import { LabelsDialog } from '#web/features/board/components/labels-dialog.tsx'
import { PinDialog } from '#web/features/board/components/pin-dialog.tsx'
import { SayLine } from '#web/features/board/components/say-line.tsx'
import { useBoardEvents, useBoardHistory, type Days } from '#web/features/board/use-board.ts'
import { useDevice } from '#web/features/devices/api/get-device.ts'
import { LivePresenceBadge } from '#web/features/devices/components/live-presence-badge.tsx'
import { UpdateDialog } from '#web/features/firmware-update/components/update-dialog.tsx'
import { BoardUpdate } from '#web/ui/board-update.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { Section } from '#web/ui/page.tsx'
import { MissingRecord } from '#web/ui/missing-record.tsx'
import { isOfNone, QueryView } from '#web/ui/query-view.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { cn } from '#web/lib/cn.ts'
import { copyAndTell } from '#web/lib/copy-text.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { useUser } from '#web/lib/services.ts'
import { mayControlSwitches } from '#web/lib/session/session-user.ts'
import { useIsAdmin } from '#web/lib/session/use-is-admin.ts'
import { DeleteBoardDialog, EditBoardDialog } from '#web/routes/parts/board-changes.tsx'
import { usePathOf } from '#web/routes/parts/use-path-of.ts'
import { StaffBoardRows } from '#web/routes/parts/staff-board-rows.tsx'

/** /admin/devices/{id} and /monitor/devices/{id}: everything that support needs about a board. */
export function Screen() {
  const t = useText()
  const role = useUser()?.role ?? 'admin'
  const { id = '' } = useParams()
  const device = useDevice(id)
  const parent = { label: t('staffDevices.title'), path: `/${role}/devices` }
  const known = isOfNone(device.error) ? undefined : device.data
  return (
    <PageFrame
      title={known === undefined ? t('board.facts') : deviceTitle(known)}
      parent={parent}
      aside={
        known !== undefined && (
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <LivePresenceBadge device={known} />
            <span className="font-mono text-12">{known.deviceMac}</span>
          </span>
        )
      }
      actions={known !== undefined && <Actions key={known._id} device={known} listPath={parent.path} />}
    >
      <QueryView
        query={device}
        failed={t('board.failed')}
        missing={<MissingRecord title={t('board.notFound')} list={parent} />}
        loading={<Skeleton className="mx-4 h-96 sm:mx-6" />}
      >
        {(data) => <Parts key={data._id} device={data} />}
      </QueryView>
    </PageFrame>
  )
}

/** History on the left; switches and properties on the right. */
function Parts({ device }: { device: DeviceRecord }) {
  const t = useText()
  const user = useUser()
  const [days, setDays] = useState<Days>('1')
  const history = useBoardHistory(device, days)
  const today = useBoardHistory(device, '1')
  const events = useBoardEvents(device._id)
  const { pathOf } = usePathOf()
  const logs = pathOf(`logs?deviceId=${device._id}`)
  const schedules = pathOf(`schedules?deviceId=${device._id}`)
  const { live } = useLiveDevice(device)
  const update = useDeviceUpdate(device.deviceMac, device.firmware)
  return (
    <>
      <SayLine device={device} data={today.data} />
      <BoardUpdate update={update} live={live} className="max-w-xl px-4 pb-5 sm:px-6" />
      {update === null && live.isOnline && <FailedUpdate events={events.data?.events ?? []} />}
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 px-4 pb-8 sm:px-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid min-w-0 grid-cols-1 gap-8 max-lg:order-2">
          <QueryView query={history} failed={t('board.historyFailed')} loading={<Skeleton className="h-72" />}>
            {(data) => (
              <BoardLanes
                data={data}
                choice={
                  <Segmented
                    label={t('board.days')}
                    hasHiddenLabel
                    value={days}
                    choices={[
                      { value: '1', label: t('board.days.1') },
                      { value: '7', label: t('board.days.7') }
                    ]}
                    onChange={setDays}
                  />
                }
              />
            )}
          </QueryView>
          <div className="grid grid-cols-1 gap-8 xl:grid-cols-2">
            {history.data !== undefined && <CommandList commands={history.data.history.commands} />}
            <QueryView query={events} failed={t('board.eventsFailed')} loading={<Skeleton className="h-60" />}>
              {(data) => <EventList events={data.events} />}
            </QueryView>
          </div>
          {logs !== null && <BoardLog deviceId={device._id} all={logs} />}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <Section title={t('board.switches')}>
            {user !== null && mayControlSwitches(user) && (
              <p className="-mt-2 mb-1 text-12 text-ink-3">{t('board.isLogged')}</p>
            )}
            <StaffBoardRows device={device} />
          </Section>
          <BoardFacts device={device} role={user?.role ?? 'admin'} />
          {schedules !== null && <BoardSchedules deviceId={device._id} path={schedules} />}
        </div>
      </div>
    </>
  )
}

type Asked = 'edit' | 'update' | 'pin' | 'labels' | 'delete' | null

function Actions({ device, listPath }: { device: DeviceRecord; listPath: string }) {
  const t = useText()
  const isAdmin = useIsAdmin()
  const [asked, setAsked] = useState<Asked>(null)
  const copy = () =>
    void copyAndTell(device.deviceMac, { copied: t('staffDevices.copied'), failed: t('staffDevices.copyFailed') })
  const phone = device.userId?.phone
  return (
    <>
      {typeof phone === 'string' && phone !== '' && (
        <a href={`tel:${phone}`} className={cn(buttonClass({ variant: 'quiet' }), 'text-14')}>
          <Phone aria-hidden="true" size={16} />
          <span className="max-sm:sr-only">{t('board.call')}</span>
        </a>
      )}
      {isAdmin && (
        <>
          <Button variant="quiet" className="text-14" onClick={() => setAsked('edit')}>
            <Pencil aria-hidden="true" size={16} />
            <span className="max-sm:sr-only">{t('table.edit')}</span>
          </Button>
          <Button className="text-14" onClick={() => setAsked('update')}>
            <CircleArrowUp aria-hidden="true" size={18} />
            {t('staffDevices.update')}
          </Button>
        </>
      )}
      <Menu
        trigger={<IconButton label={t('table.menuOf', { name: deviceTitle(device) })} icon={<Ellipsis size={20} />} />}
      >
        <MenuItem icon={<Copy size={18} />} onSelect={copy}>
          {t('staffDevices.copyMac')}
        </MenuItem>
        {isAdmin && (
          <>
            <MenuItem icon={<Pin size={18} />} onSelect={() => setAsked('pin')}>
              {t('board.pin')}
            </MenuItem>
            <MenuItem icon={<Tags size={18} />} onSelect={() => setAsked('labels')}>
              {t('board.labels')}
            </MenuItem>
            <MenuSeparator />
            <MenuItem tone="danger" icon={<Trash2 size={18} />} onSelect={() => setAsked('delete')}>
              {t('table.delete')}
            </MenuItem>
          </>
        )}
      </Menu>
      <Dialogs device={device} asked={asked} onClose={() => setAsked(null)} listPath={listPath} />
    </>
  )
}

interface DialogsProps {
  device: DeviceRecord
  asked: Asked
  onClose: () => void
  listPath: string
}
function Dialogs({ asked, listPath, ...dialog }: DialogsProps) {
  const navigate = useNavigate()
  switch (asked) {
    case 'edit':
      return <EditBoardDialog {...dialog} />
    case 'update':
      return <UpdateDialog {...dialog} />
    case 'pin':
      return <PinDialog {...dialog} />
    case 'labels':
      return <LabelsDialog {...dialog} />
    case 'delete':
      return <DeleteBoardDialog {...dialog} leave={() => navigate(listPath)} />
    case null:
      return null
  }
}
