import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser, openContext } from '../open-browser.ts'
import { logInOn } from '../pages.ts'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { createWall, type Wall } from '../wall.ts'

export interface Home {
  product: Product
  wall: Wall
  browser: Browser
  context: BrowserContext
  page: Page
  /** Returns the MAC of a demo board by its name. */
  macOf(name: string): Promise<string>
  visit(path: string): Promise<unknown>
  close(): Promise<void>
}

/** Opens the demo home on a phone-sized page with its owner logged in. */
export async function openHome(options: { width?: number; height?: number } = {}): Promise<Home> {
  const { width = 390, height = 844 } = options
  const [product, browser] = await Promise.all([startProduct(), openBrowser()])
  const wall = createWall(product.wall)
  const context = await openContext(browser, { viewport: { width, height } })
  const page = await context.newPage()
  await logInOn(page, product.web, accountOf(product, 'user'))
  return {
    product,
    wall,
    browser,
    context,
    page,
    macOf: async (name) => {
      const board = (await wall.list()).find((each) => each.name === name)
      if (board === undefined) throw new Error(`There is no board called ${name}`)
      return board.mac
    },
    visit: (path) => page.goto(`${product.web}${path}`),
    close: async () => {
      await browser.close()
      await product.stop()
    }
  }
}
