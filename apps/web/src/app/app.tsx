import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { RawIntlProvider } from 'react-intl'
import { BrowserRouter } from 'react-router-dom'
import { Overlay } from '../components/ui/overlay.tsx'
import { createTexts } from '../lib/i18n/texts.ts'
import { ServicesProvider, useLanguageState, type Services } from '../lib/services.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { AppRoutes } from './router.tsx'

// Not of the first paint; a toast that is raised before it is there waits for it.
const Toaster = lazy(async () => ({ default: (await import('../components/ui/toaster.tsx')).Toaster }))

/** The providers, outermost first: services, texts, the query cache, the router. */
export function App({ services }: { services: Services }) {
  return (
    <ServicesProvider value={services}>
      <Texts>
        <ErrorBoundary>
          <QueryClientProvider client={services.queryClient}>
            <BrowserRouter>
              <AppRoutes />
            </BrowserRouter>
            <Suspense>
              <Overlay>
                <Toaster />
              </Overlay>
            </Suspense>
          </QueryClientProvider>
        </ErrorBoundary>
      </Texts>
    </ServicesProvider>
  )
}

export function Texts({ children }: { children: React.ReactNode }) {
  const { language, messages } = useLanguageState()
  const intl = useMemo(() => createTexts({ language, messages }), [language, messages])
  return <RawIntlProvider value={intl}>{children}</RawIntlProvider>
}
