import type { SwitchRecord } from '@batti/contracts'
import { useState, type ReactNode } from 'react'
import { Name } from '#web/ui/name.tsx'
import { OutletWell } from '#web/ui/outlet-well.tsx'
import { Toggle } from '#web/ui/fields/toggle.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { useSwitchFace } from '#web/features/switches/use-switch-face.ts'
import { FavoriteButton } from './favorite-button.tsx'
import { LevelSlider } from './level-slider.tsx'
import { OfflineHelp } from './offline-help.tsx'
import { SwitchOptions } from './switch-options.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'

export interface SwitchHeroProps {
  record: SwitchRecord
  onAddSchedule: (record: SwitchRecord) => void
  /** Below the state: its cause. */
  children: ReactNode
}

/** The header of a switch's own page: name, place, state and controls. */
export function SwitchHero({ record, onAddSchedule, children }: SwitchHeroProps) {
  const t = useText()
  const { commander } = useServices()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { deviceMac: mac, switchIndex: index } = record
  const { view, name, isOffline, isDim, hasFailed, state, frame } = useSwitchFace(record)
  usePageTitle(name)
  return (
    <header className={cn(frame, 'grid grid-cols-1 gap-4 p-4 sm:p-6')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <OutletWell kind={record.type} view={view} size="large" />
        <div className="min-w-0 flex-1 basis-52">
          <h1 className="text-28 leading-tight font-semibold">
            <Name>{name}</Name>
          </h1>
          <p className="text-ink-2">
            {t(`switch.type.${record.type}`)} · {record.roomId?.roomName ?? t('switch.unknownRoom')}
          </p>
        </div>
        <div className="ml-auto flex items-center gap-1">
          <FavoriteButton record={record} />
          <SwitchOptions deviceId={record.deviceId} index={index} name={name} onAddSchedule={onAddSchedule} />
          <Toggle
            isOn={view.on}
            isPending={view.phase === 'pending'}
            isUnknown={isDim}
            label={t('switch.toggle', { name, device: record.deviceName })}
            onChange={(next) => (isOffline ? setHelpOpen(true) : commander.toggle(mac, index, next))}
          />
        </div>
      </div>
      <output className={cn('text-20 font-semibold', hasFailed && 'text-warn')}>{state}</output>
      <LevelSlider view={view} name={name} onChange={(next) => commander.setLevel(mac, index, next)} />
      {children}
      <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-4 text-14">
        <Fact term={t('detail.board')}>
          {record.deviceName} <span className="font-mono text-12 text-ink-3">{mac}</span>
        </Fact>
        <Fact term={t('detail.index')}>{t('switch.name', { number: index + 1 })}</Fact>
      </dl>
      <OfflineHelp record={record} since={state} isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </header>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-3">{term}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}
