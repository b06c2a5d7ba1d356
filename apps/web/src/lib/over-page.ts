/** Handlers of open dialogs for the browser's Back button; the topmost dialog's is last. */
export type OverPage = ((event: PopStateEvent) => void)[]

/** Created before the router: not in every browser can a later listener stop an event of the window. */
export function createOverPage(page: Window): OverPage {
  const overPage: OverPage = []
  page.addEventListener('popstate', (event) => overPage.at(-1)?.(event))
  return overPage
}
