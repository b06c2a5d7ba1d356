import { liveNotificationMs } from '@batti/contracts'
import { Bell, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'

/** The text of a realtime notify-user message, at the top centre for 5 seconds. */
export function NotifyBanner() {
  const t = useText()
  const { connection, clock } = useServices()
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let cancel = () => {}
    const stopListening = connection.on('notify-user', (message) => {
      setText(message)
      cancel()
      cancel = clock.after(liveNotificationMs, () => setText(null))
    })
    return () => {
      stopListening()
      cancel()
    }
  }, [connection, clock])
  return (
    <output className="pointer-events-none fixed inset-x-0 top-3 z-60 grid justify-items-center px-4">
      {text !== null && (
        <div className="pointer-events-auto flex min-h-12 max-w-120 animate-rise items-center gap-3 rounded-2xl border border-line bg-raised pl-4 shadow-float">
          <Bell aria-hidden="true" size={18} className="shrink-0 text-accent" />
          <p className="py-3 font-medium">{text}</p>
          <button
            type="button"
            aria-label={t('shell.dismiss')}
            onClick={() => setText(null)}
            className="grid size-11 shrink-0 place-items-center text-ink-3 hover:text-ink"
          >
            <X size={18} />
          </button>
        </div>
      )}
    </output>
  )
}
