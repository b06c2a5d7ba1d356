import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState, type ComponentType } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { Overlay } from '#web/ui/overlays/overlay.tsx'
import { TextsProvider } from '#web/lib/i18n/texts-provider.tsx'
import { ServicesProvider, useServices, type Services } from '#web/lib/services.ts'
import { WithFrameTexts } from '#web/app/shell/frame-texts.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { AppRoutes, type FirstScreen } from '#web/app/routing/router.tsx'

// Short: once the network is gone, the toaster that would report it can no longer be loaded.
const lookEveryMs = 300
const toastsAtLatestMs = 4000
const toastsAgainAfterMs = 10_000

/**
 * Loads the toaster late, so that it does not delay the first page: once no query has been running for two checks.
 * Earlier toasts wait for it. While its code cannot be loaded, the page works without toasts.
 */
function Toasts() {
  const { clock, queryClient } = useServices()
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  useEffect(() => {
    const latest = clock.monotonic() + toastsAtLatestMs
    let cancel = clock.after(lookEveryMs, look)
    let wasQuiet = false
    function look() {
      const isQuiet = queryClient.isFetching() === 0
      if ((wasQuiet && isQuiet) || clock.monotonic() >= latest) return load()
      wasQuiet = isQuiet
      cancel = clock.after(lookEveryMs, look)
    }
    function load() {
      import('#web/ui/overlays/toaster.tsx').then(
        (loaded) => setToaster(() => loaded.Toaster),
        () => {
          cancel = clock.after(toastsAgainAfterMs, load)
        }
      )
    }
    return () => cancel()
  }, [clock, queryClient])
  return (
    Toaster !== null && (
      <Overlay>
        <Toaster />
      </Overlay>
    )
  )
}

/** The providers, outermost first: services, texts, the query cache, the router. */
export function App({ services, first }: { services: Services; first: FirstScreen | null }) {
  return (
    <ServicesProvider value={services}>
      <TextsProvider>
        <ErrorBoundary>
          <QueryClientProvider client={services.queryClient}>
            {/* Each press is drawn before the next one: one made meanwhile would act on the address of before. */}
            <BrowserRouter useTransitions={false}>
              <WithFrameTexts>
                <AppRoutes first={first} />
              </WithFrameTexts>
            </BrowserRouter>
            <Toasts />
          </QueryClientProvider>
        </ErrorBoundary>
      </TextsProvider>
    </ServicesProvider>
  )
}
