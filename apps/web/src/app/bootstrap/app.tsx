import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { Overlay } from '#web/ui/overlay.tsx'
import { TextsProvider } from '#web/lib/i18n/texts-provider.tsx'
import { ServicesProvider, useServices, type Services } from '#web/lib/services.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { AppRoutes, type FirstScreen } from '#web/app/routing/router.tsx'

// Not of the first paint; a toast that is raised before it is there waits for it.
const toastsAfterMs = 4000
const Toaster = lazy(async () => ({ default: (await import('#web/ui/toaster.tsx')).Toaster }))

/** Once the first page is there: until then a toast waits. */
function Toasts() {
  const { clock } = useServices()
  const [isThere, setThere] = useState(false)
  useEffect(() => clock.after(toastsAfterMs, () => setThere(true)), [clock])
  return (
    isThere && (
      <Suspense>
        <Overlay>
          <Toaster />
        </Overlay>
      </Suspense>
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
              <AppRoutes first={first} />
            </BrowserRouter>
            <Toasts />
          </QueryClientProvider>
        </ErrorBoundary>
      </TextsProvider>
    </ServicesProvider>
  )
}
