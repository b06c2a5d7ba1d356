import { afterEach } from 'vitest'
import { openPages } from './open-browser.ts'

/** Time for a page that does not answer, in ms. */
const waitMs = 5_000
/** Of one page, in characters. */
const longest = 3_000

// A timeout says only what did not come. Its message gets what is on the open pages instead, as a CI keeps only the log.
afterEach(async ({ task }) => {
  const [error] = task.result?.errors ?? []
  if (error === undefined) return
  for (const page of openPages()) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: waitMs }).catch(String)
    error.message += `\n${page.url()} shows\n${shown.slice(0, longest)}`
  }
})
