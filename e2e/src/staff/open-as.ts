import type { Browser, Page } from 'playwright-core'
import { accountOf, type Product } from '@batti/launcher/testing/start-product'
import { openContext } from '../open-browser.ts'
import { logInOn } from '../pages.ts'

/** Opens a page in a new browser context, logged in with the account of that role. */
export async function openAs(browser: Browser, product: Product, role: string, width = 1440): Promise<Page> {
  const context = await openContext(browser, { reducedMotion: 'reduce', viewport: { width, height: 900 } })
  const page = await context.newPage()
  await logInOn(page, product.web, accountOf(product, role))
  return page
}
