/** What dialogs do at the browser's Back button, that of the one on top last. */
export type OverPage = ((event: PopStateEvent) => void)[]

/** Made before the router: not every browser lets a later listener stop an event of the window. */
export function createOverPage(page: Window): OverPage {
  const overPage: OverPage = []
  page.addEventListener('popstate', (event) => overPage.at(-1)?.(event))
  return overPage
}
