/** A page that was loaded past the worker, as on a forced reload, is never taken over. */
const timeoutMs = 10_000

/**
 * Keeps the app's own files for a time without power at the server or the router (`public/sw.js`). Browsers allow that
 * on HTTPS and on this machine only; elsewhere, and while developing, nothing is kept. Ends when what is fetched from
 * then on is kept too.
 */
export async function keepShell(page: Window, logError: (error: unknown) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in page.navigator)) return
  const { serviceWorker } = page.navigator
  try {
    await serviceWorker.register('/sw.js')
  } catch (error) {
    logError(error)
    return
  }
  if (serviceWorker.controller === null)
    await new Promise<void>((resolve) => {
      serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
      page.setTimeout(resolve, timeoutMs)
    })
  if (serviceWorker.controller !== null) await keepOwnFiles(page)
}

/** The first page's own files came before the service worker was there to keep them; from the browser's cache they are free. */
async function keepOwnFiles(page: Window): Promise<void> {
  const own = page.performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((url) => new URL(url).pathname.startsWith('/assets/'))
  await Promise.all([...new Set(own)].map((url) => page.fetch(url).catch(() => null)))
}
