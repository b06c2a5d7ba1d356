import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { isInstalling, isUnderWay, type DeviceUpdate } from '#web/lib/live/device-update.ts'
import { shownUpdate } from '#web/lib/live/is-restarting.ts'
import { useUser } from '#web/lib/services.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { UpdateBar } from './update-bar.tsx'

export interface BoardUpdateProps {
  update: DeviceUpdate | null
  live: DeviceLive
  /** Also says why the switches are locked. */
  hasReason?: boolean
  className: string
}

/** A board's update: its progress, or that it failed. That an offline board works as before is not known, and not said. */
export function BoardUpdate({ update, live, hasReason = false, className }: BoardUpdateProps) {
  const t = useText()
  const now = useServerNow()
  const who = useUser()?.role ?? 'user'
  if (update === null) return null
  const { phase, version = '' } = update
  if (isUnderWay(update)) {
    const shown = shownUpdate(update, live, now)
    return (
      <UpdateBar update={shown} className={className}>
        {hasReason && isInstalling(shown) && <p className="text-ink-2">{t('devices.updateLocked')}</p>}
      </UpdateBar>
    )
  }
  if ((phase !== 'failed' && phase !== 'rolled-back') || !live.isOnline) return null
  return (
    <p role="status" className={cn('text-14', className)}>
      {t('devices.updateFailed', { version, who })}
    </p>
  )
}
