/**
 * Keeps the app's own files for a time without power at the server or the router (`public/sw.js`). Browsers allow that
 * on HTTPS and on this machine only; elsewhere, and while developing, nothing is kept.
 */
export function keepShell(page: Window, logError: (error: unknown) => void): void {
  if (!import.meta.env.PROD || !('serviceWorker' in page.navigator)) return
  void page.navigator.serviceWorker.register('/sw.js').catch(logError)
}
