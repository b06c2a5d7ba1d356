// oxlint-disable-next-line import/no-unassigned-import -- before the schemas that the other imports make
import './parse-without-eval.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { compose } from './compose.ts'
import { App } from './app.tsx'
import { openHomeOffline, openFirstScreen } from './first-visit.ts'
import { installServiceWorker } from './install-service-worker.ts'
import { takeOwnFontsWhenShown } from './own-fonts.ts'
import { startSideEffects } from './side-effects.ts'

/** Long enough for the first page to render and to send its requests. */
const laterMs = 4000
const setupPagePath = '/user/devices/new'

async function main() {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root')
  const logError = (error: unknown) => console.error(error)
  const services = compose(window, logError)
  document.title = services.brand.name
  startSideEffects(services, window)
  openHomeOffline(services, window)
  const first = await openFirstScreen(services, window.location.pathname)
  createRoot(root).render(
    <StrictMode>
      <App services={services} first={first} />
    </StrictMode>
  )
  takeOwnFontsWhenShown(services, document.documentElement, laterMs)
  // Setting up a board takes the phone to the board's own Wi-Fi: that page must be cached before.
  const isSoonOffline = window.location.pathname.startsWith(setupPagePath)
  const early = isSoonOffline ? installServiceWorker(window, logError) : null
  // Caching for later starts only now, so that it does not delay the first page.
  services.clock.after(laterMs, () => {
    void (early ?? installServiceWorker(window, logError))
      .then(async () => {
        if (import.meta.env.PROD) await (await import('./fetch-pages.ts')).fetchPagesWhenIdle(services, window)
      })
      .catch(logError)
  })
}

void main()
