/** The worker never takes control of a page that was loaded past it, as on a forced reload. */
const timeoutMs = 10_000

/**
 * Installs the service worker (`public/sw.js`), which caches the app's files for a time without power at the server or
 * the router. Browsers allow that on HTTPS and localhost only; in development it is not installed. Resolves when later
 * fetches are cached too.
 */
export async function installServiceWorker(page: Window, logError: (error: unknown) => void): Promise<void> {
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

/** Fetches the first page's files again so that the worker caches them; the browser's own cache makes that cheap. */
async function keepOwnFiles(page: Window): Promise<void> {
  const own = page.performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((url) => new URL(url).pathname.startsWith('/assets/'))
  await Promise.all([...new Set(own)].map((url) => page.fetch(url).catch(() => null)))
}
