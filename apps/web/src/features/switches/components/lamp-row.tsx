import type { SwitchRecord } from '@batti/contracts'
import { memo, useId, useState } from 'react'
import { useSwitchFace } from '#web/features/switches/use-switch-face.ts'
import { cn } from '#web/lib/cn.ts'
import { isLit, isUnknown } from '#web/lib/live/outlet-view.ts'
import { useServices } from '#web/lib/services.ts'
import { OutletWell } from '#web/ui/outlet-well.tsx'
import { ToggleTrack } from '#web/ui/fields/toggle.tsx'
import { OfflineHelp } from './offline-help.tsx'

export interface LampRowProps {
  record: SwitchRecord
  onSince: number | undefined
  /** Also shows its board, if another lamp of the room has the same name. */
  hasBoard?: boolean
  /** Ends with a drawn toggle, which shows that the row is one. */
  hasTrack?: boolean
}

/**
 * A lamp in its room: the whole row toggles it; a line shows since when it is on. Not rendered for a report of another
 * board, which renders the list.
 */
export const LampRow = memo(function LampRow({ record, onSince, hasBoard = false, hasTrack = false }: LampRowProps) {
  const { commander } = useServices()
  const stateId = useId()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { view, name, isOffline, hasFailed, state, button } = useSwitchFace(record, onSince)
  function press() {
    if (isOffline) return setHelpOpen(true)
    if (!view.isLocked) commander.toggle(record.deviceMac, record.switchIndex, !view.on)
  }
  return (
    <>
      <button
        type="button"
        {...button}
        // Offline it is a button, whose name is what it shows: people say that to a voice control (WCAG 2.5.3).
        {...(isOffline ? { 'aria-label': undefined } : { 'aria-describedby': stateId })}
        onClick={press}
        className="flex min-h-12 w-full min-w-0 items-center gap-2.5 rounded-control py-1 text-left hover:bg-well/50 aria-disabled:cursor-progress"
      >
        <OutletWell kind={record.type} view={view} />
        <span className="min-w-0">
          <span
            className={cn(
              'block truncate text-14 max-[22.5rem]:line-clamp-2 max-[22.5rem]:whitespace-normal',
              isLit(view) ? 'font-semibold' : 'font-medium'
            )}
            title={name}
          >
            {name}
          </span>
          <span className={cn('block text-12', hasFailed ? 'text-warn' : 'text-ink-3')}>
            <span id={stateId}>{state}</span>
            {hasBoard && ` · ${record.deviceName}`}
          </span>
        </span>
        {hasTrack && !isOffline && (
          <ToggleTrack
            isOn={view.on}
            isUnknown={isUnknown(view)}
            className={cn('ml-auto', view.isLocked && 'opacity-70')}
          />
        )}
      </button>
      <OfflineHelp record={record} since={state} isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  )
})
