import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { logInOn } from '../pages.ts'
import type { Product } from '../product.ts'
import { ffmpeg } from './ffmpeg.ts'

const phone = { width: 390, height: 780 }
/** Below the header, which carries the brand's name: one picture serves every brand. */
const below = { x: 0, y: 65, width: 390, height: 700 }

/** Pictures of the demo home for the public page: home, a board, and the sessions, in both themes. */
export async function takeAppPictures(browser: Browser, product: Product, folder: string): Promise<void> {
  const owner = product.accounts.find(({ role }) => role === 'user')
  if (owner === undefined) throw new Error('The demo home has no user.')
  for (const theme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: phone,
      deviceScaleFactor: 2,
      colorScheme: theme,
      reducedMotion: 'reduce'
    })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    await logInOn(page, product.web, owner)
    const take = async (name: string) => {
      // Lamps fade in; the picture is of the room after that.
      await page.waitForTimeout(1200)
      const png = join(folder, `${name}-${theme}.png`)
      await page.screenshot({ path: png, clip: below, animations: 'disabled' })
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
