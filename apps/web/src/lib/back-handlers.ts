/** Handlers of open dialogs for the browser's Back button; the topmost dialog's is last. */
export type BackHandlers = ((event: PopStateEvent) => void)[]

/** Created before the router: not in every browser can a later listener stop an event of the window. */
export function createBackHandlers(page: Window): BackHandlers {
  const backHandlers: BackHandlers = []
  page.addEventListener('popstate', (event) => backHandlers.at(-1)?.(event))
  return backHandlers
}
