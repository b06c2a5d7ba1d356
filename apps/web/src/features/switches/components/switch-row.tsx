import { hasLevel, type DeviceRecord, type SwitchRecord } from '@batti/contracts'
import { memo } from 'react'
import { useIntl } from 'react-intl'
import { OutletWell } from '#web/ui/outlet-well.tsx'
import { Toggle } from '#web/ui/fields/toggle.tsx'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isLit, isUnknown, type OutletView } from '#web/lib/live/outlet-view.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { mayEditSwitches } from '#web/lib/session/session-user.ts'
import { useMayControlSwitches } from '#web/lib/session/use-may-control-switches.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { levelValues } from '#web/features/switches/level-values.ts'
import { LevelSlider } from './level-slider.tsx'
import { SwitchOptions } from './switch-options.tsx'

export interface SwitchRowProps {
  device: DeviceRecord
  view: OutletView
  /** The name given to the switch, if known. */
  givenName: string | undefined
  /** Since when it has been on, in ms, if known. */
  onSince?: number | undefined
  onAddSchedule?: ((record: SwitchRecord) => void) | undefined
}

/**
 * One outlet in the switch dialog: a toggle, its options, and its level while it is on. Not rendered for a report of another
 * board, which renders the list.
 */
export const SwitchRow = memo(function SwitchRow({ device, view, givenName, onSince, onAddSchedule }: SwitchRowProps) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  const { commander } = useServices()
  const user = useUser()
  const mayControl = useMayControlSwitches()
  const { index, kind, on, level, phase } = view
  const place = t('switch.name', { number: index + 1 })
  const name = givenName === undefined ? place : switchWords(t, givenName)
  const isDimmed = isUnknown(view)
  return (
    <li className={cn('border-t border-line py-2.5 first:border-t-0', phase === 'no-answer' && 'animate-shake-once')}>
      {/* With large letters on a narrow screen the controls wrap below the name. */}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <OutletWell kind={kind} view={view} />
        <div className="min-w-0 flex-1 basis-22">
          <p className="line-clamp-2 wrap-anywhere" title={name}>
            <span className="font-semibold">{name}</span>
            {kind !== 'switch' && (
              <>
                {' '}
                <span className="text-14 whitespace-nowrap text-ink-3">{t(`switch.tag.${kind}`)}</span>
              </>
            )}
          </p>
          {name !== place && <p className="truncate text-12 text-ink-3">{place}</p>}
          {isDimmed && <p className="text-12 text-ink-3">{t('devices.stale')}</p>}
          {onSince !== undefined && isLit(view) && (
            <p className="text-12 text-ink-3">{t('onTime.since', { time: clockTime(intl, onSince, now) })}</p>
          )}
        </div>
        <div className="ml-auto flex items-center gap-3">
          {(user === null || mayEditSwitches(user)) && (
            <SwitchOptions deviceId={device._id} index={index} name={name} onAddSchedule={onAddSchedule} />
          )}
          <Toggle
            isOn={on}
            isPending={view.isLocked}
            isUnknown={isDimmed}
            disabled={!mayControl}
            label={t('switch.toggle', { name, device: deviceTitle(device) })}
            onChange={(next) => commander.toggle(device.deviceMac, index, next)}
          />
        </div>
      </div>
      {level !== undefined && hasLevel(kind) && on && !isDimmed && (
        <div className="mt-1 flex items-center gap-3 pl-13">
          {mayControl && (
            <LevelSlider
              view={view}
              name={name}
              onChange={(next) => commander.setLevel(device.deviceMac, index, next)}
            />
          )}
          <output className="min-w-9 text-right font-medium whitespace-nowrap">
            {t(`switch.levelShort.${kind}`, levelValues(level))}
          </output>
        </div>
      )}
    </li>
  )
})
