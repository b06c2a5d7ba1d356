import { apiBasePath } from '@batti/contracts'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openContext } from '../open-browser.ts'
import { logInOn } from '../pages.ts'
import { accountOf, type Product } from '@batti/launcher/testing/start-product'
import { ffmpeg } from './ffmpeg.ts'

const phone = { width: 390, height: 780 }
/** The part of the screen to capture: a phone's header shows no brand, so one picture serves every brand. */
const firstScreen = { x: 0, y: 0, width: 390, height: 700 }

const elsewhere = [
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15'
]
/** Logs in from other browsers, so that the list of sessions has several entries. */
async function logInElsewhere(product: Product, { email, password }: { email: string; password: string }) {
  for (const userAgent of elsewhere)
    await fetch(`${product.web}${apiBasePath}/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ email, password })
    })
}

/** Takes pictures of the demo home for the public page: home, a board, and the sessions, in both themes. */
export async function takeAppPictures(browser: Browser, product: Product, folder: string): Promise<void> {
  const owner = accountOf(product, 'user')
  await logInElsewhere(product, owner)
  for (const theme of ['light', 'dark'] as const) {
    const context = await openContext(browser, {
      viewport: phone,
      deviceScaleFactor: 2,
      colorScheme: theme,
      reducedMotion: 'reduce'
    })
    const page = await context.newPage()
    await logInOn(page, product.web, owner)
    const take = async (name: string) => {
      // Waits until the lamps have faded in.
      await page.waitForTimeout(1200)
      const png = join(folder, `${name}-${theme}.png`)
      await page.screenshot({ path: png, clip: firstScreen, animations: 'disabled' })
      await ffmpeg(['-i', png, '-quality', '82', join(folder, `${name}-${theme}.webp`)])
    }
    await page.goto(`${product.web}/user/home`)
    await page.getByRole('switch').first().waitFor()
    await take('home')
    await page.goto(`${product.web}/user/devices`)
    await page.getByRole('heading', { level: 2, name: 'Living room wall' }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('switch').first().waitFor()
    await take('board')
    await page.goto(`${product.web}/user/sessions`)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await take('sessions')
    await context.close()
  }
}
