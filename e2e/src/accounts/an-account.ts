import { startProduct } from '@batti/launcher/testing/start-product'
import { openBrowser, openContext } from '../open-browser.ts'
import { logInOn } from '../pages.ts'
import { signUp } from '../people.ts'

/** Opens a desktop page with a new account, logged in. */
export async function openAccount(phone: string) {
  const [product, browser] = await Promise.all([startProduct({ empty: true }), openBrowser()])
  const maya = await signUp(product, 'Maya', phone)
  const context = await openContext(browser, { viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await logInOn(page, product.web, maya)
  const menu = () => page.getByRole('navigation', { name: 'Profile menu' })
  const dialog = () => page.getByRole('dialog')
  return {
    product,
    browser,
    context,
    page,
    maya,
    menu,
    dialog,
    choose: (name: string) => menu().getByRole('button', { name }).click(),
    press: (name: string) => dialog().getByRole('button', { name, exact: true }).click(),
    close: async () => {
      await browser.close()
      await product.stop()
    }
  }
}
