import { RotateCw } from 'lucide-react'
import { SpinnerRing } from '../../components/ui/spinner-ring.tsx'
import { useText } from '../../lib/i18n/use-text.ts'
import { useConnectionStatus, useServices } from '../../lib/services.ts'

/** A page that lost its connection says so, and offers to try again when the attempts are spent. */
export function ConnectionBar() {
  const t = useText()
  const { connection } = useServices()
  const status = useConnectionStatus()
  const isShown = status === 'reconnecting' || status === 'lost'
  return (
    <output className="pointer-events-none fixed inset-x-0 top-16 z-60 grid justify-items-center px-4">
      {isShown && (
        <div className="pointer-events-auto flex min-h-10 animate-rise items-center gap-3 rounded-b-2xl border border-t-0 border-line bg-raised px-4 text-14 font-medium text-ink-2 shadow-float">
          {status === 'reconnecting' ? (
            <>
              <SpinnerRing className="size-4" />
              {t('shell.reconnecting')}
            </>
          ) : (
            <>
              <span className="py-2">{t('shell.lost')}</span>
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
