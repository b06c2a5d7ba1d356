import type { Locator, Page } from 'playwright-core'
import { until } from '@batti/kit/testing'

/** Helpers that use the page as a person does, by the accessible names. */
export async function logInOn(page: Page, web: string, { email, password }: { email: string; password: string }) {
  await page.goto(`${web}/user/login`)
  await page.getByLabel('Email or phone').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
}

/** Opens a board's switches from My Devices. */
export async function openSwitches(page: Page, web: string, board: string | RegExp): Promise<Locator> {
  await page.goto(`${web}/user/devices`)
  await page.getByRole('heading', { level: 2, name: board }).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/** Waits until the page is drawn with its own fonts: those shown until then have slightly other sizes. */
export const whenFontsLoaded = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.fonts.ready.then(() => null))

/** Returns the toggle of one outlet, counted from 1. */
export const toggleOf = (dialog: Locator, number: number): Locator =>
  dialog.getByRole('switch', { name: new RegExp(`^Switch ${number} of `) })

/** Waits until a control reports that it is on, or off. */
export const whenSwitched = (toggle: Locator, isOn: boolean): Promise<void> =>
  toggle.and(toggle.page().locator(`[aria-checked="${isOn}"]:not([aria-busy])`)).waitFor()

/** Taps a toggle, and like a person again while its board does not answer within 4 s, until it reports that it is on, or off. */
export async function tap(toggle: Locator, isOn: boolean): Promise<void> {
  for (;;) {
    await Promise.all([toggle.evaluate(whenAnswered), toggle.click()])
    if ((await toggle.getAttribute('aria-checked')) === String(isOn)) return
    console.warn(`no answer to a tap of ${String(toggle)}`)
  }
}

/** Runs in the page: resolves when the element has been busy and is so no more. */
const whenAnswered = (element: Element): Promise<void> =>
  new Promise((resolve) => {
    let wasBusy = false
    const observer = new MutationObserver(() => {
      const isBusy = element.hasAttribute('aria-busy')
      if (wasBusy && !isBusy) {
        observer.disconnect()
        resolve()
      }
      wasBusy = isBusy
    })
    observer.observe(element, { attributes: true })
  })

/** Watches a text on the page until it has appeared, or disappeared again. Returns the times by the page's clock, in ms. */
const followText = (page: Page, text: string, upTo: 'come' | 'gone'): Promise<{ cameAt: number; endedAt: number }> =>
  page.evaluate(
    ([wanted, end]) =>
      new Promise((resolve) => {
        let cameAt: number | null = null
        const look = (): void => {
          const isThere = document.body.innerText.includes(wanted)
          if (isThere) cameAt ??= Date.now()
          if (cameAt === null || (isThere && end === 'gone')) return
          observer.disconnect()
          resolve({ cameAt, endedAt: Date.now() })
        }
        const observer = new MutationObserver(look)
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        look()
      }),
    [text, upTo] as const
  )

/**
 * Returns when a text appears, in ms since the epoch by the page's own clock. Called before what shows the text, it sees
 * it also if it is shown for a moment only.
 */
export const timeAppeared = async (page: Page, text: string): Promise<number> =>
  (await followText(page, text, 'come')).cameAt

/** Returns how long a text is shown, in ms by the page's own clock. Call it before the text appears. */
export async function timeShown(page: Page, text: string): Promise<number> {
  const { cameAt, endedAt } = await followText(page, text, 'gone')
  return endedAt - cameAt
}

/** Returns the paths of the files that the service worker has cached. */
const keptFiles = async (): Promise<string[]> => {
  const found: string[] = []
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
  return found
}

/** Waits until the service worker has cached `count` files whose paths begin with `start`. */
export const waitUntilCached = async (page: Page, start: string, count = 1): Promise<void> => {
  const countKept = async () => (await page.evaluate(keptFiles)).filter((path) => path.startsWith(start)).length
  await until(`${count} kept files ${start}*`, async () => (await countKept()) >= count)
}

/** Chooses from a list box. A busy browser sometimes loses the press: like a person, this presses again, and logs it. */
export async function chooseFrom(box: Locator, name: string | RegExp): Promise<void> {
  const option = box.page().getByRole('option', { name })
  await box.click()
  for (let press = 1; press <= 3; press++) {
    await option.click()
    const hasClosed = await option.waitFor({ state: 'hidden', timeout: 5000 }).then(
      () => true,
      () => false
    )
    if (hasClosed) return
    console.warn(`press ${press} of the option ${String(name)} was lost`)
  }
  throw new Error(`the list box stays open: ${String(name)} cannot be chosen`)
}
