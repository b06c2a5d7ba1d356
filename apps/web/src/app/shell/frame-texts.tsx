import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ErrorBoundary } from '#web/app/bootstrap/error-boundary.tsx'
import type { Area } from '#web/i18n/message-id.ts'
import { asError } from '#web/lib/as-error.ts'
import { useServices } from '#web/lib/services.ts'
import { BrandName } from './brand-name.tsx'
import { ScreenLoading } from './screen-loading.tsx'

export const frameTexts: readonly Area[] = ['common', 'shell']

/**
 * Renders the children once the frame's texts are loaded. Shows the brand's name until then, and above the error if
 * they fail.
 */
export function WithFrameTexts({ children }: { children: ReactNode }) {
  const { language } = useServices()
  const isThere = useSyncExternalStore(language.subscribe, () => language.has(frameTexts))
  if (isThere) return children
  return (
    <>
      <header className="border-b border-line">
        <div className="mx-auto flex min-h-16 w-full max-w-300 items-center gap-2.5 px-4 text-20 font-semibold tracking-tight sm:px-6">
          <BrandName />
        </div>
      </header>
      <main>
        <ErrorBoundary>
          <LoadingTexts />
        </ErrorBoundary>
      </main>
    </>
  )
}

function LoadingTexts() {
  const { language } = useServices()
  const [fault, setFault] = useState<Error | null>(null)
  useEffect(() => {
    let isGone = false
    language.need(frameTexts).catch((error: unknown) => isGone || setFault(asError(error)))
    return () => {
      isGone = true
    }
  }, [language])
  // Passes the fault to the error boundary around it.
  if (fault !== null) throw fault
  return <ScreenLoading />
}
