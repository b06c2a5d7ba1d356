type Page = Window & typeof globalThis

/** The worker never takes control of a page that was loaded past it, as on a forced reload. */
const timeoutMs = 10_000

/**
 * Installs the service worker (`public/sw.js`), which caches the app's files for a time without power at the server or
 * the router. Browsers allow that on HTTPS and localhost only; in development it is not installed. Resolves when later
 * fetches are cached too.
 */
export async function installServiceWorker(page: Page, logError: (error: unknown) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in page.navigator)) return
  const serviceWorker = await register(page).catch(logError)
  if (!serviceWorker) return
  if (serviceWorker.controller === null)
    await new Promise<void>((resolve) => {
      serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
      page.setTimeout(resolve, timeoutMs)
    })
  if (serviceWorker.controller !== null) await keepOwnFiles(page)
}

/** @throws also where a browser that forbids storage does not hand the container out. */
async function register({ navigator }: Window): Promise<ServiceWorkerContainer> {
  const { serviceWorker } = navigator
  await serviceWorker.register('/sw.js')
  return serviceWorker
}

/**
 * Fetches the files again that were loaded past the worker, so that it caches them; the browser's own cache makes that
 * cheap. Resolves when it has cached those that are there.
 */
async function keepOwnFiles({ performance, fetch, PerformanceObserver }: Page): Promise<void> {
  const known = new Set<string>()
  const isMissing = (entry: PerformanceEntry) =>
    !('workerStart' in entry && entry.workerStart !== 0) &&
    new URL(entry.name).pathname.startsWith('/assets/') &&
    !known.has(entry.name)
  const keep = async (entries: PerformanceEntryList) => {
    const missing = entries.filter(isMissing).map(({ name }) => name)
    for (const url of missing) known.add(url)
    await Promise.all(missing.map((url) => fetch(url).catch(() => null)))
  }
  // A file that is still loading has its entry once it has arrived.
  new PerformanceObserver((list) => void keep(list.getEntries())).observe({ type: 'resource' })
  await keep(performance.getEntriesByType('resource'))
}
