import { hasLevel, type SwitchRecord } from '@batti/contracts'
import { useId, useState } from 'react'
import { Name } from '#web/ui/name.tsx'
import { OutletWell } from '#web/ui/outlet-well.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { cn } from '#web/lib/cn.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isLit, type OutletView } from '#web/lib/live/outlet-view.ts'
import { useServices } from '#web/lib/services.ts'
import { levelValues } from '#web/features/switches/level-values.ts'
import { useSwitchFace } from '#web/features/switches/use-switch-face.ts'
import { LevelArc } from './level-arc.tsx'
import { FavoriteButton } from './favorite-button.tsx'
import { OfflineHelp } from './offline-help.tsx'
import { SwitchOptions } from './switch-options.tsx'

export interface SwitchCardProps {
  record: SwitchRecord
  /** `id`: by `toggleSwitch`, as the home screen does; `mac`: by `toggle-switch`. */
  command: 'id' | 'mac'
  onAddSchedule?: (record: SwitchRecord) => void
  /** Since when it has been on, in ms. A card that shows a level does not show it. */
  onSince?: number | undefined
  /** One level below the heading above the card. */
  heading?: 'h2' | 'h3'
}

/** A switch: the whole card toggles it; its options and favourite button are above that. When offline it opens help. */
export function SwitchCard({ record, command, onAddSchedule, onSince, heading: Heading = 'h2' }: SwitchCardProps) {
  const t = useText()
  const { commander } = useServices()
  const stateId = useId()
  const { deviceMac: mac, switchIndex: index } = record
  const { view, name, isOffline, isDim, hasFailed, state, frame, button } = useSwitchFace(
    record,
    hasLevel(record.type) ? undefined : onSince
  )
  const room = record.roomId?.roomName ?? t('switch.unknownRoom')
  const [isHelpOpen, setHelpOpen] = useState(false)

  function press() {
    if (isOffline) return setHelpOpen(true)
    if (view.isLocked) return
    if (command === 'id') commander.toggleById({ mac, index, switchId: record._id }, !view.on)
    else commander.toggle(mac, index, !view.on)
  }
  const well = <OutletWell kind={record.type} view={view} size="large" />

  return (
    <article className={cn(frame, 'relative flex w-full flex-col p-2 sm:p-3')}>
      <div className="mb-0.5 flex min-h-12 items-start sm:mb-2">
        {view.level !== undefined && hasLevel(view.kind) && view.on && !isDim ? (
          <LevelArc
            level={view.level}
            label={t(`switch.level.${view.kind}`, { name })}
            valueText={t(`switch.levelValue.${view.kind}`, levelValues(view.level))}
            isPending={view.phase === 'pending'}
            onChange={(level) => commander.setLevel(mac, index, level)}
            onPress={press}
          >
            {well}
          </LevelArc>
        ) : (
          well
        )}
      </div>
      <Heading className="leading-tight font-semibold tracking-tight sm:leading-snug">
        {/* The card's one large target. */}
        <button
          type="button"
          {...button}
          aria-describedby={stateId}
          onClick={press}
          className="block text-left outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent aria-disabled:after:cursor-progress"
        >
          <Name>{name}</Name>
        </button>
      </Heading>
      <p
        id={stateId}
        className={cn(
          'text-14 leading-tight sm:leading-snug',
          hasFailed ? 'text-warn' : isLit(view) ? 'font-medium text-ink' : 'text-ink-2'
        )}
      >
        {state}
      </p>
      <p
        className="mt-auto truncate pt-0.5 text-12 max-[22.5rem]:line-clamp-2 max-[22.5rem]:whitespace-normal sm:line-clamp-2 sm:whitespace-normal leading-tight text-ink-3 sm:pt-2 sm:leading-normal"
        title={dotted(room, record.deviceName)}
      >
        <span>{room}</span> · <span>{record.deviceName}</span>
      </p>
      {/* Complete even on the narrowest phones, as a cut address is useless. It wraps in its middle. */}
      <p className="flex items-baseline gap-1.5 font-mono text-[11px] leading-tight text-ink-3 sm:leading-snug">
        <OnlineDot view={view} />
        <span>
          {mac.slice(0, 9)}
          <wbr />
          {mac.slice(9)}
        </span>
      </p>
      <div className="absolute top-1 right-1 z-10 flex">
        <FavoriteButton record={record} className="-mr-2" />
        <SwitchOptions deviceId={record.deviceId} index={index} name={name} onAddSchedule={onAddSchedule} />
      </div>
      <OfflineHelp record={record} since={state} isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </article>
  )
}

/** Filled if the board is reachable, hollow if not, so that colour is not the only sign. Text beside it says "offline". */
function OnlineDot({ view }: { view: OutletView }) {
  const t = useText()
  const isReachable = view.phase !== 'offline' && view.phase !== 'stale'
  return (
    <span
      {...(isReachable && { title: t('devices.online') })}
      className={cn('size-2 shrink-0 rounded-full', isReachable ? 'bg-ok' : 'border-[1.5px] border-ink-3')}
    >
      {isReachable && <VisuallyHidden>{t('devices.online')}</VisuallyHidden>}
    </span>
  )
}
