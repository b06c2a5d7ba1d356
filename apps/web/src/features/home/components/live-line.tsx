import { liveNotificationMs } from '@batti/contracts'
import { Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { useServices } from '#web/lib/services.ts'

/**
 * Shows for 5 seconds what was just confirmed, or what a board refused. Its space is reserved, so that nothing below it
 * jumps; on a phone it replaces the banner's second line.
 */
export function LiveLine() {
  const t = useText()
  const { connection, clock, words } = useServices()
  const [line, setLine] = useState<{ text: string; isHeard: boolean } | null>(null)
  useEffect(() => {
    let cancel = () => {}
    const show = (text: string, isHeard: boolean) => {
      setLine({ text, isHeard })
      cancel()
      cancel = clock.after(liveNotificationMs, () => setLine(null))
    }
    const undo = [
      connection.on('switchToggled', ({ switchName, state }) =>
        show(t('home.toggled', { name: switchWords(t, switchName), state: state ? 'on' : 'off' }), true)
      ),
      // The tab that asked is the one that is told, and its alert says the same aloud.
      connection.on('deviceStatus', ({ message, code }) => show(words(message, code), false))
    ]
    return () => {
      undo.forEach((run) => run())
      cancel()
    }
  }, [connection, clock, words, t])
  return (
    <output className="flex min-h-6 items-center gap-2 text-14 font-medium text-ink-2 max-sm:pointer-events-none max-sm:absolute max-sm:bottom-2 max-sm:right-12 max-sm:left-[calc(5rem+1px)] max-sm:min-h-7 max-sm:text-12 max-sm:leading-tight">
      {line !== null && (
        <span aria-hidden={!line.isHeard} className="flex animate-rise items-center gap-2">
          <Zap aria-hidden="true" size={16} className="text-accent max-sm:hidden" />
          <span className="max-sm:line-clamp-2">{line.text}</span>
        </span>
      )}
    </output>
  )
}
