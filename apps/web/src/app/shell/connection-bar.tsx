import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useConnectionStatus, useServices, useUser } from '#web/lib/services.ts'
import { useIsLineBlocked } from './use-is-line-blocked.ts'

/** Shows that the page has lost its connection, and offers to reconnect when the attempts are spent. */
export function ConnectionBar() {
  const t = useText()
  const { connection } = useServices()
  const status = useConnectionStatus()
  const isBlocked = useIsLineBlocked()
  const isStaff = useUser()?.role !== 'user'
  const isShown = status === 'reconnecting' || status === 'lost'
  const [wasShown, setWasShown] = useState(false)
  if (isShown && !wasShown) setWasShown(true)
  // The short word fits between the header's name and menu, where it hides nothing; the sentence is below the header. A
  // home's page on a phone has no header: there the word is above the quick navigation, and the sentence at the top.
  const fitsHeader = status === 'reconnecting'
  return (
    <output
      data-line=""
      data-lost={status === 'lost' ? (isBlocked ? 'blocked' : '') : undefined}
      className={cn(
        'pointer-events-none fixed inset-x-0 top-16 z-60 grid justify-items-center px-4',
        fitsHeader && isStaff && 'min-[22.5rem]:top-3',
        fitsHeader && !isStaff && 'max-sm:top-auto max-sm:bottom-[calc(6rem+env(safe-area-inset-bottom))] sm:top-3',
        !fitsHeader && !isStaff && 'barless:top-0'
      )}
    >
      {/* The bar disappears without a sound, and the lamps light up again. */}
      {wasShown && status === 'live' && <VisuallyHidden>{t('shell.connected')}</VisuallyHidden>}
      {isShown && (
        <div
          className={cn(
            'pointer-events-auto flex min-h-10 animate-rise items-center gap-3 rounded-b-2xl border border-line bg-raised px-4 text-14 font-medium text-ink-2 shadow-float',
            fitsHeader ? 'gap-2 px-3.5 min-[22.5rem]:rounded-full' : 'border-t-0'
          )}
        >
          {status === 'reconnecting' ? (
            <>
              <SpinnerRing className="size-4" />
              {t('shell.reconnecting')}
            </>
          ) : (
            <>
              <span className="py-2">{t(isBlocked ? 'shell.lineBlocked' : 'shell.lost')}</span>
              <button
                type="button"
                onClick={() => connection.reconnect()}
                className="-mr-2 inline-flex min-h-11 items-center gap-2 rounded-control px-2 font-semibold text-accent"
              >
                <RotateCw aria-hidden="true" size={16} />
                {t('shell.reconnect')}
              </button>
            </>
          )}
        </div>
      )}
    </output>
  )
}
