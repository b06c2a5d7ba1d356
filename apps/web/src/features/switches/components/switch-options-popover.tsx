import type { SwitchRecord } from '@batti/contracts'
import { CalendarPlus, CircleHelp, Heart, HeartOff, History, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { DiscardDialog } from '#web/ui/overlays/discard-dialog.tsx'
import { FailedState } from '#web/ui/failed-state.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { isGone } from '#web/lib/api/after-write.ts'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveOutlet } from '#web/lib/live/use-live-device.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useUser } from '#web/lib/services.ts'
import { useUnsaved } from '#web/lib/use-keep-typed.ts'
import { useSwitchByDevice } from '#web/features/switches/api/get-switch-by-device.ts'
import { useUpdateSwitch } from '#web/features/switches/api/update-switch.ts'
import { OptionsButton } from './options-button.tsx'
import { RenameForm } from './rename-form.tsx'

export interface SwitchOptionsProps {
  deviceId: string
  index: number
  /** The switch's name at the button. */
  name: string
  /** Opens Add Schedule; without it that entry is left out. */
  onAddSchedule?: ((record: SwitchRecord) => void) | undefined
}

const rowClass =
  'flex min-h-11 w-full items-center gap-3 rounded-xl px-3 text-left transition-colors duration-160 hover:bg-well'

/** Rename, favourite, Add Schedule, Close, and links to its history. Initially open, as the first press loads it. */
export function SwitchOptionsPopover({ deviceId, index, name, onAddSchedule }: SwitchOptionsProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(true)
  const [isTyped, setTyped] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const finish = () => {
    setOpen(false)
    setTyped(false)
    setAsking(false)
  }
  useUnsaved(isTyped)
  const close = () => (isTyped ? setAsking(true) : finish())
  return (
    <Popover
      title={name}
      isOpen={isOpen}
      onOpenChange={(open) => (open ? setOpen(true) : close())}
      trigger={<OptionsButton name={name} />}
    >
      <div className="grid w-68 max-w-full grid-cols-1 gap-0.5">
        <OptionsContent
          deviceId={deviceId}
          index={index}
          onAddSchedule={onAddSchedule}
          onType={setTyped}
          onSaving={setSaving}
          onDone={finish}
        />
        <button type="button" className={rowClass} onClick={close}>
          <X aria-hidden="true" size={18} className="text-ink-3" />
          {t('common.close')}
        </button>
      </div>
      <DiscardDialog isOpen={isAsking} isSaving={isSaving} onKeep={() => setAsking(false)} onDiscard={finish} />
    </Popover>
  )
}

type ContentProps = Pick<SwitchOptionsProps, 'deviceId' | 'index' | 'onAddSchedule'> & {
  onType: (isTyped: boolean) => void
  onSaving: (isSaving: boolean) => void
  onDone: () => void
}

function OptionsContent({ deviceId, index, onAddSchedule, onType, onSaving, onDone }: ContentProps) {
  const t = useText()
  const { data: record, isPending, error, refetch } = useSwitchByDevice(deviceId, index)
  const update = useUpdateSwitch()
  const renaming = useSave(update.mutateAsync, { done: t('switch.renamed'), failed: t('switch.renameFailed') })
  const hearting = useSave(update.mutateAsync, { failed: t('switch.favoriteFailed') })
  const isTyped = useRef(false)
  if (isPending) return <Skeleton className="m-2 h-32" />
  // The form stays during a refetch of the record, so that its input is kept.
  if (record === undefined || isGone(error)) {
    return (
      <FailedState
        title={t('switch.infoFailed')}
        body={errorMessage(error, t('common.failedBody')) ?? undefined}
        onRetry={() => void refetch()}
      />
    )
  }

  const rename = async (switchName: string) => {
    onSaving(true)
    const isDone = await renaming.save({ id: record._id, switchName })
    onSaving(false)
    if (isDone) onDone()
  }
  const heart = async () => {
    const isDone = await hearting.save({ id: record._id, isFavorite: !record.isFavorite })
    // Somebody may have begun to type a name meanwhile.
    if (isDone && !isTyped.current) onDone()
  }
  const FavoriteIcon = record.isFavorite ? HeartOff : Heart
  return (
    <>
      <RenameForm
        name={record.switchName}
        isBusy={renaming.isSaving}
        onType={(isChanged) => {
          isTyped.current = isChanged
          onType(isChanged)
        }}
        onRename={(switchName) => void rename(switchName)}
      />
      <button type="button" className={rowClass} onClick={() => void heart()}>
        <FavoriteIcon aria-hidden="true" size={18} className="text-ink-3" />
        {t(record.isFavorite ? 'switch.favoriteRemove' : 'switch.favoriteAdd')}
      </button>
      {onAddSchedule && (
        <button
          type="button"
          className={rowClass}
          onClick={() => {
            onDone()
            onAddSchedule(record)
          }}
        >
          <CalendarPlus aria-hidden="true" size={18} className="text-ink-3" />
          {t('switch.addSchedule')}
        </button>
      )}
      <HistoryLinks record={record} onFollow={onDone} />
    </>
  )
}

/** Links to the switch's history: the cause of its state and, in its owner's area, its own page. */
function HistoryLinks({ record, onFollow }: { record: SwitchRecord; onFollow: () => void }) {
  const t = useText()
  const user = useUser()
  const view = useLiveOutlet(record.deviceMac, record.switchIndex)
  if (user === null) return null
  return (
    <>
      <Link to={`/${user.role}/logs?switch=${record._id}&why=1`} className={rowClass} onClick={onFollow}>
        <CircleHelp aria-hidden="true" size={18} className="text-ink-3" />
        {t('switch.why', { state: (view?.on ?? record.status) ? 'on' : 'off' })}
      </Link>
      {user.role === 'user' && (
        <Link to={`/user/switches/${record._id}`} className={rowClass} onClick={onFollow}>
          <History aria-hidden="true" size={18} className="text-ink-3" />
          {t('switch.details')}
        </Link>
      )}
    </>
  )
}
