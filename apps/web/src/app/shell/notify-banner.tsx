import { liveNotificationMs } from '@batti/contracts'
import { Bell, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'

/** Shows the text of a `notify-user` event at the top centre for 5 seconds. */
export function NotifyBanner() {
  const t = useText()
  const { notices, clock, words } = useServices()
  const notice = useSyncExternalStore(notices.subscribe, notices.getState)
  useEffect(
    () => (notice === null ? undefined : clock.after(liveNotificationMs, notices.clear)),
    [notice, notices, clock]
  )
  return (
    <output className="pointer-events-none fixed inset-x-0 top-3 z-60 grid justify-items-center px-4 print:hidden">
      {notice !== null && (
        <div className="pointer-events-auto flex min-h-12 max-w-120 animate-rise items-center gap-3 rounded-2xl border border-line bg-raised pl-4 shadow-float">
          <Bell aria-hidden="true" size={18} className="text-accent" />
          <p className="py-3 font-medium">{words(notice.text)}</p>
          <button
            type="button"
            aria-label={t('shell.dismiss')}
            onClick={notices.clear}
            className="grid size-11 shrink-0 place-items-center text-ink-3 hover:text-ink"
          >
            <X size={18} />
          </button>
        </div>
      )}
    </output>
  )
}
