import type { SwitchRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { cardClass } from '#web/ui/card.tsx'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isLit, isUnknown } from '#web/lib/live/outlet-view.ts'
import { useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { isRestarting } from '#web/lib/live/is-restarting.ts'
import { useLiveOutlet, useLiveState } from '#web/lib/live/use-live-device.ts'
import { useSettledView } from './use-settled-view.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { levelValues } from './level-values.ts'
import { outletStateText } from './outlet-state-text.ts'
import { switchTitle } from './switch-name.ts'
import { unknownView } from './unknown-view.ts'

/** Returns the look and texts of a switch, for all places that show it. `onSince`: since when it has been on, in ms. */
export function useSwitchFace(record: SwitchRecord, onSince?: number) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  const { deviceMac: mac, switchIndex: index } = record
  const live = useLiveState(mac)
  // Before the board's live state is known the switch is not lit.
  const view = useSettledView(mac, useLiveOutlet(mac, index) ?? unknownView(record))
  const update = useDeviceUpdate(mac, live?.firmware)
  const isOffline = view.phase === 'offline'
  const isDim = isUnknown(view)
  const hasFailed = view.phase === 'no-answer' || view.phase === 'refused'
  const name = switchTitle(t, record)
  const since = live?.onlineChangedAt ?? null
  const time = (at: number) => ({ time: clockTime(intl, at, now) })
  return {
    view,
    name,
    isOffline,
    isDim,
    hasFailed,
    /** Props of the button that toggles it. When offline it opens help instead. */
    button: {
      ...(isOffline
        ? { 'aria-haspopup': 'dialog' as const }
        : {
            role: 'switch',
            // Never on while unknown: a screen reader says this first, and "Unknown" after it.
            'aria-checked': view.on && !isDim,
            // Not `disabled`, which would lose the focus after a press.
            'aria-disabled': view.isLocked || undefined,
            'aria-busy': view.isLocked || undefined
          }),
      'aria-label': t('switch.toggle', { name, device: record.deviceName })
    },
    state:
      isOffline && since !== null
        ? live !== undefined && isRestarting(update, live, now)
          ? t('phase.reboot')
          : t('devices.offlineSince', time(since))
        : onSince !== undefined && isLit(view) && view.phase !== 'pending' && !hasFailed
          ? t('onTime.since', time(onSince))
          : t(outletStateText(view), levelValues(view.level)),
    frame: cn(cardClass(isLit(view), isDim), isDim && 'bg-transparent', hasFailed && 'animate-shake-once')
  }
}
