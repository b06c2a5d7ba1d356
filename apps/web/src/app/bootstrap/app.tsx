import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState, type ComponentType } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { Overlay } from '#web/ui/overlay.tsx'
import { TextsProvider } from '#web/lib/i18n/texts-provider.tsx'
import { ServicesProvider, useServices, type Services } from '#web/lib/services.ts'
import { WithFrameTexts } from '#web/app/shell/frame-texts.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { AppRoutes, type FirstScreen } from '#web/app/routing/router.tsx'

// Soon: a toast says that the network is gone, and then nothing can be loaded any more.
const lookEveryMs = 300
const toastsAtLatestMs = 4000
const toastsAgainAfterMs = 10_000

/**
 * Not in the way of the first page: once that has what it asked for, and shows it. What is said before it is there waits
 * for it; where they do not load, the page stands without them.
 */
function Toasts() {
  const { clock, queryClient } = useServices()
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  useEffect(() => {
    const latest = clock.now() + toastsAtLatestMs
    let cancel = clock.after(lookEveryMs, look)
    let wasQuiet = false
    function look() {
      const isQuiet = queryClient.isFetching() === 0
      if ((wasQuiet && isQuiet) || clock.now() >= latest) return load()
      wasQuiet = isQuiet
      cancel = clock.after(lookEveryMs, look)
    }
    function load() {
      import('#web/ui/toaster.tsx').then(
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
            <BrowserRouter>
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
